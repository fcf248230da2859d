import type { Opening } from '#shared/calling-hours/opening.ts';
import { instantOf } from '#shared/calling-hours/zone-clock.ts';
import type { CallStatus } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { RedialPolicy } from '#shared/domain/project.ts';
import { isTooLate, type Task } from '#shared/domain/task.ts';
import { dayMs } from '#shared/domain/time.ts';
import { combineResults, type EndedCall, findingsBeyond, isConversation } from './combine-results.ts';
import { type CallConclusion, isDecisive } from './conclude-call.ts';
import { afterObstacle, obstacleIn } from './obstacle-rules.ts';

/** Limit of calls that never reach the carrier: the redial policy does not count them as attempts. */
const maxUnplacedCalls = 5;

/** The rules for redialing a task. */
export interface RedialRules {
  readonly policy: RedialPolicy;
  /** When the number may be called, from a time on; null for never. */
  readonly nextOpening: (from: Date) => Opening | null;
  /** Possible time zones of the number; UTC by default. */
  readonly zones?: readonly string[];
}

/** The end of a task's current call. */
export interface LastEnd {
  readonly conclusion: CallConclusion;
  /** All calls of the task, oldest first; the last is the one that has ended. */
  readonly calls: readonly EndedCall[];
}

/**
 * The task after its current call: completed if the goal was reached or the answer was definite; failed if they refuse
 * to speak with us, the number is unusable, the attempts are used up or the project's policy forbids a redial;
 * otherwise waiting for the next attempt within the calling hours. An obstacle may settle the task as well
 * (`obstacle-rules.ts`). A call that was never placed is no attempt. In each case the task keeps its calls' findings.
 */
export function concludeTask(
  task: Task,
  { conclusion, calls }: LastEnd,
  rules: RedialRules,
  now: Date,
): Task {
  const result = combineResults(calls);
  const between: Task = { ...task, current_call_id: null, result, updated_at: now.toISOString() };
  const end = endOf(conclusion, calls, result) ?? endByPolicy(conclusion, calls, result, rules.policy);
  if (end !== null) return finishTask(between, end.status, end.outcome);
  const placed = calls.filter(wasPlaced).length;
  const named = namedTime(conclusion.result, rules, now);
  const opening = rules.nextOpening(named ?? redialAt(placed, rules.policy, now));
  if (opening === null) {
    const outcome = `${exhaustedOutcome(calls, result)} The number may never be called again within its calling hours.`;
    return finishTask(between, 'FAILED', outcome);
  }
  if (isTooLate(task, opening.at)) {
    const why = 'No further call could begin before the requested deadline.';
    return finishTask(between, 'FAILED', `${exhaustedOutcome(calls, result)} ${why}`);
  }
  return {
    ...between,
    next_attempt_at: opening.at.toISOString(),
    next_attempt_reason: redialReason(conclusion, rules, opening, { placed, isAtNamedTime: named !== null }),
  };
}

/**
 * A canceled task after the call that was current when it was canceled: it stays canceled, but nobody may miss what the
 * call brought, least of all an appointment that the clinic now expects.
 */
export function concludeCancelledTask(task: Task, calls: readonly EndedCall[]): Task {
  const result = combineResults(calls);
  const concluded: Task = { ...task, current_call_id: null, result };
  if (result === null || !isDecisive(calls.at(-1)?.result ?? null)) return concluded;
  const isBooked = task.task_type === 'SCHEDULE_APPOINTMENT' && result.goal_reached;
  const followUps = [result.follow_up, isBooked ? undoBooking : null].filter((text) => text !== null);
  return {
    ...concluded,
    task_outcome: `${task.task_outcome} The last call still brought a result: ${result.summary}`,
    result: { ...result, follow_up: followUps.length === 0 ? null : followUps.join(' ') },
  };
}

const undoBooking =
  'The appointment stands although the task was canceled: keep it, or cancel it with the clinic.';

interface TaskEnd {
  readonly status: 'COMPLETED' | 'FAILED';
  readonly outcome: string;
}

function failed(outcome: string): TaskEnd {
  return { status: 'FAILED', outcome };
}

/** Does not say “needs review”, which is about answers. */
const reviewFirst = 'Find out why before calling this number again.';

/** How what was said in this call ends the task; null if another one may bring more. */
function endOf(
  conclusion: CallConclusion,
  calls: readonly EndedCall[],
  result: CallResult | null,
): TaskEnd | null {
  const after = afterObstacle(conclusion.result);
  if (result !== null && (isDecisive(conclusion.result) || after === 'over' || after === 'turned-away')) {
    const outcome = after === 'review' ? `${result.summary} ${reviewFirst}` : result.summary;
    return { status: isTurnedAway(conclusion.result) ? 'FAILED' : 'COMPLETED', outcome };
  }
  if (conclusion.isFutile) return failed(`${conclusion.outcome} No further calls are made.`);
  if (after === 'review') return failed(`${exhaustedOutcome(calls, result)} ${reviewFirst}`);
  const isRepeated =
    after === 'once-more' && calls.filter((call) => afterObstacle(call.result) === after).length > 1;
  return isRepeated ? failed(`${exhaustedOutcome(calls, result)} There will be no third attempt.`) : null;
}

/** How the project's rules end the task; null if they allow a redial. */
function endByPolicy(
  { status }: CallConclusion,
  calls: readonly EndedCall[],
  result: CallResult | null,
  { max_attempts, redialled_results }: RedialPolicy,
): TaskEnd | null {
  const placed = calls.filter(wasPlaced).length;
  if (placed >= max_attempts || calls.length - placed >= maxUnplacedCalls) {
    return failed(exhaustedOutcome(calls, result));
  }
  const last = calls.at(-1);
  const isRedialled = redialled_results.some((redialled) => redialled === status);
  return last === undefined || !wasPlaced(last) || isRedialled
    ? null
    : failed(`${exhaustedOutcome(calls, result)} The project does not redial after such a call.`);
}

/** The call decided the task without a conversation about it: a refusal or a wrong number. */
function isTurnedAway(result: CallResult | null): boolean {
  if (result === null || result.goal_reached) return false;
  if (afterObstacle(result) === 'turned-away') return true;
  return result.ending === 'refused' || result.ending === 'opted-out' || result.ending === 'wrong-number';
}

/** The task ended, with its calls' findings. */
export function finishTask(task: Task, status: 'COMPLETED' | 'FAILED' | 'CANCELLED', outcome: string): Task {
  return {
    ...task,
    status,
    task_outcome: outcome,
    next_attempt_at: null,
    next_attempt_reason: null,
    waiting_for_line_since: null,
  };
}

/** Whether the carrier accepted the call: one that died before rang nowhere. */
function wasPlaced({ submission }: EndedCall): boolean {
  return submission !== 'abandoned';
}

function redialAt(placed: number, { delays_seconds }: RedialPolicy, now: Date): Date {
  const delaySeconds = delays_seconds[Math.max(placed - 1, 0)] ?? delays_seconds.at(-1) ?? 0;
  return new Date(now.getTime() + delaySeconds * 1000);
}

/** Ignores a callback time further off than this. */
const longestWaitMs = 60 * dayMs;

/**
 * When they asked to be called, in all their possible time zones; null if they named no time, or one that has passed
 * or is too far away.
 */
function namedTime(result: CallResult | null, { zones = ['UTC'] }: RedialRules, now: Date): Date | null {
  const named = afterObstacle(result) === 'named-time' ? (obstacleIn(result)?.call_back_at ?? null) : null;
  if (named === null) return null;
  const local = named.includes('T') ? named.slice(0, 'YYYY-MM-DDTHH:MM'.length) : `${named}T00:00`;
  if (Number.isNaN(Date.parse(`${local}Z`))) return null;
  const atMs = Math.max(...zones.map((zone) => instantOf(zone, local).getTime()));
  return atMs > now.getTime() && atMs - now.getTime() <= longestWaitMs ? new Date(atMs) : null;
}

function redialReason(
  { outcome }: CallConclusion,
  { policy: { max_attempts } }: RedialRules,
  { reason }: Opening,
  { placed, isAtNamedTime }: { readonly placed: number; readonly isAtNamedTime: boolean },
): string {
  const when = isAtNamedTime ? ' at the requested time' : '';
  const next = `${outcome} Attempt ${placed + 1} of ${max_attempts} scheduled${when}.`;
  return reason === null ? next : `${next} ${reason}`;
}

const shortNames: Record<CallStatus, string> = {
  IN_PROGRESS: 'unfinished',
  SUCCESS: 'no definite answer',
  VOICEMAIL: 'voicemail',
  NO_ANSWER: 'no answer',
  BUSY: 'busy',
  FAILED: 'failed',
  CANCELLED: 'canceled',
};

function shortName({ status, result }: EndedCall): string {
  if (status === 'FAILED' && result?.ending === 'no-speech') return 'nobody spoke';
  if (status !== 'SUCCESS') return shortNames[status];
  if (result?.ending === 'hung-up') return 'hung up';
  return result?.ending === 'call-again' ? 'asked to call again' : shortNames.SUCCESS;
}

function exhaustedOutcome(calls: readonly EndedCall[], combined: CallResult | null): string {
  const count = calls.length === 1 ? '1 call' : `${calls.length} calls`;
  const story = `${count}: ${calls.map(shortName).join(', ')}.`;
  const conversation = calls
    .flatMap(({ result, call_outcome }) => (isConversation(result) ? [{ result, call_outcome }] : []))
    .at(-1);
  if (combined !== null && conversation !== undefined) {
    const lastWords = `Last conversation: ${conversation.call_outcome ?? conversation.result.summary}`;
    return `No definite answer after ${story} ${lastWords} ${findingsBeyond(combined, conversation.result)}`.trim();
  }
  // "Failed" alone explains nothing.
  const last = calls.at(-1);
  return `Not reached after ${story} ${last?.status === 'FAILED' ? (last.call_outcome ?? '') : ''}`.trim();
}
