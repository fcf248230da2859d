import * as z from 'zod/mini';
import type { CallPlan } from '../call-plan/call-plan.ts';
import { guess } from '../understanding/linear-model.ts';
import { reachFeatures } from '../understanding/reach-features.ts';
import { type Heard, likelihood, type Move, modelOf, placesIn } from '../understanding/understand.ts';

/**
 * Whom we have on the line. No fact of the patient is told before the right party is verified: by a named place or role
 * that fits the task, or by an explicit yes to our question. A name, a greeting, a bare "yes?", an offer of help and a
 * question prove nothing. Whoever comes on the line next is verified anew.
 */
export const Party = z.object({
  status: z.enum(['unverified', 'verified', 'wrong']),
  /** The words that proved it. */
  quote: z.nullable(z.string()),
  turn: z.nullable(z.int()),
  /** Our last words asked whom we have reached. */
  is_asked: z.boolean(),
  /** The person on the line has heard that an automated assistant calls and records. */
  notice_heard: z.boolean(),
  /** The name by which the person on the line introduced themselves. */
  person: z.nullable(z.string()),
});
export type Party = z.infer<typeof Party>;

export const nobodyYet: Party = {
  status: 'unverified',
  quote: null,
  turn: null,
  is_asked: false,
  notice_heard: false,
  person: null,
};

type Callee = CallPlan['callee'];

const fittingRoles: Record<Callee, readonly string[]> = {
  clinic: ['medical-practice', 'facility'],
  insurer: ['payer'],
  'claims-department': ['payer'],
  office: ['medical-practice', 'facility', 'pharmacy', 'payer', 'employer', 'government'],
};

/** Below these a place may be another one. */
const leastNamed = 0.7;
const leastFitting = 0.75;
/** From this on a move that names a place only asks or talks about it. */
const leastAsking = 0.75;
/** Up to this a named place is another one. */

/** The move that names a place which fits the task, if any. */
export function namedPlace(heard: Heard, callee: Callee): Move | null {
  return (
    heard.moves.find(
      (move) =>
        !asks(move) &&
        !onlyNamesPerson(move) &&
        (move.acts.get('introduces-place') ?? 0) + (move.acts.get('wrong-department') ?? 0) >= leastNamed &&
        fits(move, callee) >= leastFitting,
    ) ?? null
  );
}

/** How sure it is that the named place is of a kind that the task is for. */
export function fits(move: Move, callee: Callee): number {
  return placesIn(move)
    .filter(({ label }) => fittingRoles[callee].includes(label))
    .reduce((sum, { confidence }) => sum + confidence, 0);
}

/** "Yes, this is Gloria." A name is no place, however it is introduced. */
function onlyNamesPerson({ tokens, entities }: Move): boolean {
  const names = entities.filter(({ type }) => type === 'name');
  const others = tokens.filter(
    ({ kind, start, end }) =>
      kind === 'word' && !names.some((name) => start >= name.start && end <= name.end),
  );
  return names.length > 0 && others.every(({ norm }) => norm.split(' ').every((word) => nameFrame.has(word)));
}

const nameFrame = new Set(
  'yes yeah yep hello hi hey good morning afternoon evening and this that it is i am my name here speaking you got have reached are talking to with'.split(
    ' ',
  ),
);

/** "Is this the front desk?" names a place and is no proof that it is this one. */
function asks({ tokens, acts }: Move): boolean {
  const hasMark = tokens.some(({ kind }) => kind === 'question');
  const isMerelyAsked = (reachGuesses(tokens).get('neither') ?? 0) >= leastAsking;
  return isMerelyAsked || (hasMark && (acts.get('introduces-place') ?? 0) < 0.8);
}

/** How a whole prompt replies to our question whom we have reached. */
export interface ReachReply {
  readonly label: 'confirms' | 'denies' | 'neither';
  /** Calibrated probability of `label`, which is low for `neither` when another was likelier but not sure enough. */
  readonly confidence: number;
}

/**
 * In five folds over ideas that the training has not seen, 98 % of such yeses and 99 % of such noes are meant; other
 * splits give 97 to 98 % and 92 to 98 %. Facts are told after a yes: before lowering these, or `leastLeaning`, measure
 * the precision of both together.
 */
const leastSure = { confirms: 0.9, denies: 0.9 } as const;

/** Where the whole prompt may be a yes, one clause of it can make it sure: desks go on talking. */
const leastLeaning = 0.1;
/** A clause that is a yes by itself. */
const leastClause = 0.8;

/**
 * Whether somebody says yes or no to our question whom we have reached. Judged by the whole prompt, as what
 * comes after a yes may take it back ("Yes, who is this?"); whoever is not sure enough is `neither`, and can
 * be asked again.
 */
export function reachReply({ tokens, moves }: Pick<Heard, 'tokens' | 'moves'>): ReachReply {
  const whole = reachGuesses(tokens);
  const parts = moves.map((move) => (isHum(move) ? new Map<string, number>() : reachGuesses(move.tokens)));
  const surest = (label: ReachReply['label']): number =>
    Math.max(0, ...parts.map((part) => part.get(label) ?? 0));
  const all = (label: ReachReply['label']): number => whole.get(label) ?? 0;
  if (all('confirms') >= leastSure.confirms) return { label: 'confirms', confidence: all('confirms') };
  if (all('denies') >= leastSure.denies) return { label: 'denies', confidence: all('denies') };
  // Desks go on talking after their yes; nothing beside it may speak against it.
  const isContested = all('denies') >= 0.3 || surest('denies') >= 0.6;
  const saysYes = moves.some(
    (move, at) => beginsWithYes(move) && (parts[at]?.get('confirms') ?? 0) >= leastPlainYes,
  );
  if ((saysYes || surest('confirms') >= leastClause) && all('confirms') >= leastLeaning && !isContested) {
    return { label: 'confirms', confidence: surest('confirms') };
  }
  return { label: 'neither', confidence: all('neither') };
}

/** "Yes, this is …" */
function beginsWithYes({ tokens }: Move): boolean {
  return yesWords.has(tokens.find(({ kind }) => kind === 'word')?.norm ?? '');
}

const yesWords = new Set(['yes', 'yeah', 'yep', 'yup', 'correct']);
const leastPlainYes = 0.5;

/** A sound that keeps the line open is no explicit yes. */
function isHum({ tokens }: Move): boolean {
  return tokens.every(({ kind, norm }) => kind !== 'word' || hums.has(norm));
}

const hums = new Set([
  'uh',
  'huh',
  'uh-huh',
  'mm',
  'hm',
  'mm-hm',
  'mhm',
  'mhmm',
  'okay',
  'ok',
  'sure',
  'alright',
  'right',
  'well',
]);

function reachGuesses(tokens: Heard['tokens']): Map<string, number> {
  return new Map(
    guess(modelOf('reach'), reachFeatures(tokens)).map(({ label, confidence }) => [label, confidence]),
  );
}

/** The move that proves by its yes that we have reached the right party, unless it names a place of another kind. */
function provenBy(heard: Heard): Move | null {
  if (reachReply(heard).label !== 'confirms' || heard.moves.some(namesOtherPlace)) return null;
  const sureness = ({ tokens }: Move): number => reachGuesses(tokens).get('confirms') ?? 0;
  return heard.moves.reduce<Move | null>(
    (best, move) => (best === null || sureness(move) > sureness(best) ? move : best),
    null,
  );
}

/** "Yes, this is Tony's Pizza." */
function namesOtherPlace(move: Move): boolean {
  const foreign = placesIn(move)
    .filter(({ label }) => label === 'private-home' || label === 'other-business')
    .reduce((sum, { confidence }) => sum + confidence, 0);
  return (move.acts.get('introduces-place') ?? 0) >= leastNamed && foreign >= leastForeign;
}

const leastForeign = 0.7;

/** Where somebody else may come on, whoever it is is verified anew. */
const leastLeaving = 0.35;

/** Whether the telephone goes to somebody else after these words. */
export function handsOver(heard: Heard): boolean {
  return likelihood(heard, 'transfer') >= 0.65;
}

/** "The claims office is one digit off, we sell tires": names the place, and is another. */
function leansToNo({ tokens }: Heard): boolean {
  return (reachGuesses(tokens).get('denies') ?? 0) >= mostDenying;
}

const mostDenying = 0.3;

/**
 * Asked whom we have reached: a yes, or a named place that may be meant as one; named beside the point it
 * proves nothing.
 */
function provenOnRequest(heard: Heard, callee: Callee): Move | null {
  const leansToYes = (reachGuesses(heard.tokens).get('confirms') ?? 0) >= leastConfirming;
  return yesWithPlace(heard, callee) ?? (leansToYes ? namedPlace(heard, callee) : null) ?? provenBy(heard);
}

const leastConfirming = 0.2;

/** "Yes, you've reached Sterling HMO.": whatever else the prompt holds. */
function yesWithPlace(heard: Heard, callee: Callee): Move | null {
  return (
    heard.moves.find(
      (move) =>
        beginsWithYes(move) &&
        !asks(move) &&
        (reachGuesses(move.tokens).get('confirms') ?? 0) >= leastPlainYes &&
        fits(move, callee) >= leastFitting,
    ) ?? null
  );
}

/** What is known of the party after these words. */
export function partyAfter(before: Party, heard: Heard, callee: Callee, isMachine: boolean): Party {
  const met = { ...before, person: nameIn(heard) ?? before.person, is_asked: false };
  if (likelihood(heard, 'transfer') >= leastLeaving || isMachine) return { ...nobodyYet };
  const proof = leansToNo(heard)
    ? null
    : before.is_asked
      ? provenOnRequest(heard, callee)
      : namedPlace(heard, callee);
  if (before.status === 'verified' && !isNewVoice(before, heard)) return met;
  if (proof !== null) {
    const notice_heard = isNewVoice(before, heard) ? false : before.notice_heard;
    return { ...met, status: 'verified', quote: proof.text, turn: heard.turn, notice_heard };
  }
  return isNewVoice(before, heard) ? { ...nobodyYet, person: nameIn(heard) } : met;
}

/** "Hello? He says it's about a bill?": in the middle of a call only somebody new says hello. */
function greetsAnew({ moves }: Heard): boolean {
  const [first] = moves;
  const greets = first?.acts.get('greeting') ?? 0;
  const isBack = moves.some(
    ({ acts }) =>
      (acts.get('back') ?? 0) + (acts.get('still-there') ?? 0) + (acts.get('introduces-place') ?? 0) >= 0.4,
  );
  return greets >= leastGreeting && isHello(first) && !isBack && moves.length > 1;
}

const leastGreeting = 0.5;

function isHello(move: Move | undefined): boolean {
  return move?.tokens.some(({ norm }) => norm === 'hello' || norm === 'hi') ?? false;
}

/** Somebody else introduces themselves in the middle of the call. */
function isNewVoice({ person }: Party, heard: Heard): boolean {
  if (greetsAnew(heard)) return true;
  const name = nameIn(heard);
  return (
    person !== null &&
    name !== null &&
    name !== person &&
    likelihood(heard, 'introduces-person', 'introduces-place', 'greeting') >= 0.5
  );
}

export function nameIn({ entities }: Heard): string | null {
  const name = entities.find((entity) => entity.type === 'name');
  return name?.type === 'name' ? name.value : null;
}
