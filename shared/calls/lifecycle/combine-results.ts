import type { Call } from '#shared/domain/call.ts';
import {
  type CallAnswer,
  type CallResult,
  type Disclosure,
  isWithPerson,
  type Obstacle,
} from '#shared/domain/call-result.ts';
import { isDecisive } from './conclude-call.ts';

/** An ended call, as its task sees it. */
export type EndedCall = Pick<Call, 'id' | 'status' | 'submission' | 'result' | 'call_outcome'>;

/** Details that belong to one appointment: meaningless with the time of another. */
const appointmentKey = 'appointment_time';
/** Whom we spoke with differs between calls. */
const personKey = 'person_name';

/**
 * The combined results of a task's calls, or null without any conversation. Starts from the conversation that got
 * furthest; takes each missing answer from the newest call that has it, with its quote and call.
 *
 * @param calls oldest first
 */
export function combineResults(calls: readonly EndedCall[]): CallResult | null {
  const results = calls.flatMap(({ id, result }) => (result === null ? [] : [withCallId(result, id)]));
  const [first, ...others] = results;
  if (first === undefined) return null;
  const combined = others.reduce(
    (earlier, later) => (rank(later) >= rank(earlier) ? fill(later, earlier) : fill(earlier, later)),
    first,
  );
  // The first call asks everything, so its order is the order of the questions.
  const keys = results.flatMap(({ answers }) => answers.map(({ key }) => key));
  const answers = combined.answers.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
  const disclosures = results.flatMap((result) => result.disclosures);
  return withoutCallId({ ...combined, answers, disclosures }, calls.at(-1)?.id);
}

/** The answers of a combined result that one conversation lacks, in a sentence; empty if none. */
export function findingsBeyond(combined: CallResult, conversation: CallResult): string {
  const known = answeredKeys(conversation);
  const sure = sureKeys(conversation);
  const findings = combined.answers
    .filter(({ key, needs_review }) => key !== personKey && !(needs_review ? known : sure).has(key))
    .flatMap(({ question, answer }) => (answer === null ? [] : [withStop(`${question} ${answer}`)]));
  return findings.length === 0 ? '' : `Learned in another call: ${findings.join(' ')}`;
}

/** Whether we spoke with a person. */
export function isConversation(result: CallResult | null): result is CallResult {
  return result !== null && (isWithPerson(result) || answeredKeys(result).size > 0);
}

/** Rank of a conversation by what it brought. */
function rank(result: CallResult): number {
  if (isDecisive(result)) return 3;
  if (answeredKeys(result).size > 0) return 2;
  return isConversation(result) ? 1 : 0;
}

/** A result, with what another one knows more, or knows for sure where this one needs review. */
function fill(ground: CallResult, other: CallResult): CallResult {
  const known = answeredKeys(ground);
  const sure = sureKeys(ground);
  const gained = known.has(appointmentKey)
    ? []
    : other.answers.filter(
        ({ key, answer, needs_review }) =>
          answer !== null && key !== personKey && !(needs_review ? known : sure).has(key),
      );
  const gainedKeys = new Set(gained.map(({ key }) => key));
  const combined: CallResult = {
    ...ground,
    answers: [...ground.answers.filter(({ key }) => !gainedKeys.has(key)), ...gained],
    reference_number: ground.reference_number ?? other.reference_number,
    person_name: ground.person_name ?? other.person_name,
    follow_up: ground.follow_up ?? other.follow_up,
  };
  const findings = findingsBeyond(combined, ground);
  return findings === '' ? combined : { ...combined, summary: `${withStop(ground.summary)} ${findings}` };
}

function answeredKeys({ answers }: CallResult): ReadonlySet<string> {
  return new Set(answers.flatMap(({ key, answer }) => (answer === null ? [] : [key])));
}

function sureKeys({ answers }: CallResult): ReadonlySet<string> {
  return new Set(
    answers.flatMap(({ key, answer, needs_review }) => (answer === null || needs_review ? [] : [key])),
  );
}

function withCallId(result: CallResult, callId: string): CallResult {
  return {
    ...result,
    answers: result.answers.map((answer) => (answer.turn === null ? answer : { ...answer, call_id: callId })),
    obstacle: result.obstacle === null ? null : { ...result.obstacle, call_id: callId },
    disclosures: result.disclosures.map((disclosure) => ({ ...disclosure, call_id: callId })),
  };
}

/** Omits the call where it is the result's own. */
function withoutCallId(result: CallResult, callId: string | undefined): CallResult {
  const leave = <Part extends CallAnswer | Disclosure | Obstacle>({ call_id, ...part }: Part) =>
    call_id === undefined || call_id === callId ? part : { ...part, call_id };
  return {
    ...result,
    answers: result.answers.map(leave),
    obstacle: result.obstacle === null ? null : leave(result.obstacle),
    disclosures: result.disclosures.map(leave),
  };
}

function withStop(text: string): string {
  return /[.!?]["')]?$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
