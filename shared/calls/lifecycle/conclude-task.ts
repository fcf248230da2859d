import type { Opening } from '#shared/calling-hours/opening.ts';
import type { CallStatus } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { RedialPolicy } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { combineResults, type EndedCall, findingsBeyond, isConversation } from './combine-results.ts';
import { type CallConclusion, isDecisive } from './conclude-call.ts';

/** Calls of a task that never reach the carrier: they are no attempts of the policy, but there is an end to them. */
const maxUnplacedCalls = 5;

/** By what rules a task is called again. */
export interface RedialRules {
  readonly policy: RedialPolicy;
  /** When the number may be called, from a time on; null when never. */
  readonly nextOpening: (from: Date) => Opening | null;
}

/**
 * The task after its current call has ended: completed when the goal was reached or the other side gave a definite answer,
 * failed when nobody there can or will speak with us, the number is unusable, the attempts are used up or the project does
 * not redial after such a call, else waiting for the next attempt, which is within the calling hours. A call that was never
 * placed is no attempt. Whichever it is, the task keeps what its calls have found out so far.
 *
 * @param calls all calls of the task, oldest first; the last one is the one that has ended
 */
export function concludeTask(
  task: Task,
  conclusion: CallConclusion,
  calls: readonly EndedCall[],
  { policy, nextOpening }: RedialRules,
  now: Date,
): Task {
  const result = combineResults(calls);
  const between: Task = { ...task, current_call_id: null, result, updated_at: now.toISOString() };
  if (result !== null && isDecisive(conclusion.result)) {
    return finishTask(between, isTurnedAway(conclusion.result) ? 'FAILED' : 'COMPLETED', result.summary);
  }
  if (conclusion.numberUnusable) {
    return finishTask(between, 'FAILED', `${conclusion.outcome} No further calls are made.`);
  }
  const placed = calls.filter(wasPlaced);
  if (placed.length >= policy.max_attempts || calls.length - placed.length >= maxUnplacedCalls) {
    return finishTask(between, 'FAILED', exhaustedOutcome(calls, result));
  }
  const last = calls.at(-1);
  const isRedialled = policy.redialled_results.some((status) => status === conclusion.status);
  if (last !== undefined && wasPlaced(last) && !isRedialled) {
    const outcome = `${exhaustedOutcome(calls, result)} The project does not call again after such a call.`;
    return finishTask(between, 'FAILED', outcome);
  }
  const opening = nextOpening(redialAt(placed.length, policy, now));
  if (opening === null) {
    const outcome = `${exhaustedOutcome(calls, result)} No time at which the number may be called again comes.`;
    return finishTask(between, 'FAILED', outcome);
  }
  return {
    ...between,
    next_attempt_at: opening.at.toISOString(),
    next_attempt_reason: redialReason(placed.length, conclusion, policy, opening),
  };
}

/** The call decided the task, though nobody spoke about the matter: they would not, or it was somebody else's number. */
function isTurnedAway(result: CallResult | null): boolean {
  if (result === null || result.goal_reached) return false;
  return result.ending === 'refused' || result.ending === 'opted-out' || result.ending === 'wrong-number';
}

/** A task that is over, keeping what its calls have found out. */
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

/** Whether the carrier took the call: one that died on the way there has rung nowhere. */
function wasPlaced({ submission }: EndedCall): boolean {
  return submission !== 'abandoned';
}

function redialAt(placed: number, { delays_seconds }: RedialPolicy, now: Date): Date {
  const delaySeconds = delays_seconds[Math.max(placed - 1, 0)] ?? delays_seconds.at(-1) ?? 0;
  return new Date(now.getTime() + delaySeconds * 1000);
}

function redialReason(
  placed: number,
  { outcome }: CallConclusion,
  { max_attempts }: RedialPolicy,
  { reason }: Opening,
): string {
  const next = `${outcome} Attempt ${placed + 1} of ${max_attempts} follows.`;
  return reason === null ? next : `${next} ${reason}`;
}

const shortNames: Record<CallStatus, string> = {
  IN_PROGRESS: 'unfinished',
  SUCCESS: 'no definite answer',
  VOICEMAIL: 'voicemail',
  NO_ANSWER: 'no answer',
  BUSY: 'busy',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

function shortName({ status, result }: EndedCall): string {
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
