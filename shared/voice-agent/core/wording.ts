import type { CallPlan } from '../call-plan/call-plan.ts';
import phrases from '../language/en-US/phrases.json' with { type: 'json' };
import { disclosedIn } from '../result/disclosures.ts';

/*
 * Fixed words of every dialogue model: the caller, the recording notice, and the verification question.
 */

/** The caller, in one sentence, without anything about the patient. */
export function introduction({ identity }: Pick<CallPlan, 'identity'>, times = 0): string {
  const name = identity.agent_name === null ? '' : `${identity.agent_name}, `;
  const from = identity.organization === null ? '' : ` from ${identity.organization}`;
  if (times === 0)
    return `Hello, this is ${name}an automated assistant${from} calling ${forWhom(identity, 'on behalf of')}.`;
  return times === 1
    ? `Hi, I am ${name}an automated assistant${from}, calling ${forWhom(identity)}.`
    : `You are talking with an automated assistant${from}; I am calling ${forWhom(identity)}.`;
}

function forWhom({ on_behalf_of, organization }: CallPlan['identity'], preposition = 'for'): string {
  if (on_behalf_of === 'patient') return `${preposition} a patient`;
  return organization === null ? `${preposition} a provider's office about a patient` : 'about a patient';
}

/** The caller and the recording notice: every person on the line hears it first. */
export function notice(plan: Pick<CallPlan, 'identity'>, times = 0): string {
  return `${introduction(plan, times)} ${wordingOf(phrases.recorded, times)}`;
}

/** The first words of a call. Anyone may hear them, including a voicemail. */
export function openingWords(plan: Pick<CallPlan, 'identity'>): string {
  return `${notice(plan)} ${wordingOf(phrases.ask_help, 0)}`;
}

const reachQuestions: Record<CallPlan['callee'], readonly string[]> = {
  clinic: [
    'Have I reached the scheduling desk of a medical office?',
    'Is this a medical office where appointments are made?',
    'Am I speaking with the front desk of a clinic?',
    'Did I reach a clinic or a medical practice?',
  ],
  insurer: [
    'Have I reached the provider line of a health insurance company?',
    'Is this the health insurance company, the department for benefits and eligibility?',
    'Am I speaking with a health plan?',
    'Did I reach a plan or an insurer that covers patients?',
  ],
  'claims-department': [
    'Have I reached the claims department of a health insurance company?',
    'Is this the health insurance company, the department for claims?',
    'Am I speaking with somebody who handles medical claims?',
    'Did I reach an office that looks after medical claims and bills?',
  ],
  office: [
    'Have I reached an office or business, and not a private line?',
    'Is this a business or an office?',
    'Am I speaking with somebody at an office?',
    'Did I reach a workplace, and not somebody at home?',
  ],
};

const placeQuestions: readonly string[] = [
  'Have I reached {place}?',
  'Is this {place}?',
  'Am I speaking with {place}?',
  'Did I reach {place}?',
];

/** Precedes every fact about the patient. Asks for the place by name, or by kind if the name discloses a fact. */
export function reachQuestion(
  { callee, place, facts }: Pick<CallPlan, 'callee' | 'place' | 'facts'>,
  times = 0,
): string {
  const isNamed = place !== null && disclosedIn(place, facts).length === 0;
  const wordings = isNamed
    ? placeQuestions.map((question) => question.replace('{place}', place))
    : reachQuestions[callee];
  return wordings[times % wordings.length] ?? '';
}

/** Said in place of words that the person on the line may not hear. */
export function refusalToTell(isVerified: boolean): string {
  return wordingOf(phrases.cannot_say, isVerified ? 1 : 0);
}

/** The `times`-th wording, or the last one after that. */
function wordingOf(wordings: readonly string[], times: number): string {
  return wordings[Math.min(times, wordings.length - 1)] ?? '';
}
