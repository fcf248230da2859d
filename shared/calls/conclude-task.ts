import type { CallStatus } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { RedialPolicy } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { combineResults, type EndedCall, findingsBeyond, isConversation } from './combine-results.ts';
import { type CallConclusion, isDecisive } from './conclude-call.ts';

/**
 * The task after its current call has ended: completed when the goal was reached or the other side gave a definite answer,
 * failed when nobody there can or will speak with us, the number is unusable or the attempts are used up, else waiting for
 * the next attempt. Whichever it is, the task keeps what its calls have found out so far.
 *
 * @param calls all calls of the task, oldest first; the last one is the one that has ended
 */
export function concludeTask(
  task: Task,
  conclusion: CallConclusion,
  calls: readonly EndedCall[],
  policy: RedialPolicy,
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
  if (task.attempts >= policy.max_attempts) {
    return finishTask(between, 'FAILED', exhaustedOutcome(calls, result));
  }
  const next = planRedial(task, policy, now);
  return {
    ...between,
    next_attempt_at: next.at.toISOString(),
    next_attempt_reason: `${conclusion.outcome} ${next.reason}`,
  };
}

/** The call decided the task, though nobody spoke about the matter: they would not, or it was somebody else's number. */
function isTurnedAway(result: CallResult | null): boolean {
  if (result === null || result.goal_reached) return false;
  return result.ending === 'refused' || result.ending === 'opted-out' || result.ending === 'wrong-number';
}

/** A task that is over, keeping what its calls have found out. */
export function finishTask(task: Task, status: 'COMPLETED' | 'FAILED' | 'CANCELLED', outcome: string): Task {
  return { ...task, status, task_outcome: outcome, next_attempt_at: null, next_attempt_reason: null };
}

/** When the task is called again, and which attempt that is. */
function planRedial(
  task: Pick<Task, 'attempts'>,
  policy: RedialPolicy,
  now: Date,
): { at: Date; reason: string } {
  const { delays_seconds, max_attempts } = policy;
  const delaySeconds = delays_seconds[task.attempts - 1] ?? delays_seconds.at(-1) ?? 0;
  return {
    at: new Date(now.getTime() + delaySeconds * 1000),
    reason: `Attempt ${task.attempts + 1} of ${max_attempts} follows.`,
  };
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
