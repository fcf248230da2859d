import type { Call, CallStatus } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { RedialPolicy } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { type CallConclusion, isDecisive } from './conclude-call.ts';

/** What the earlier calls of a task came to, oldest first. */
export type EarlierCall = Pick<Call, 'status' | 'result' | 'call_outcome'>;

/**
 * The task after its current call has ended: completed when the conversation decided it, failed when the number is
 * unusable or the attempts are used up, else waiting for the next attempt.
 */
export function concludeTask(
  task: Task,
  conclusion: CallConclusion,
  earlierCalls: readonly EarlierCall[],
  policy: RedialPolicy,
  now: Date,
): Task {
  const between: Task = { ...task, current_call_id: null, updated_at: now.toISOString() };
  if (isDecisive(conclusion.result)) {
    return finish(between, 'COMPLETED', conclusion.result.summary, conclusion.result);
  }
  if (conclusion.numberUnusable) {
    return finish(between, 'FAILED', `${conclusion.outcome} No further calls are made.`, null);
  }
  if (task.attempts >= policy.max_attempts) {
    const calls = [
      ...earlierCalls,
      { status: conclusion.status, result: conclusion.result, call_outcome: conclusion.outcome },
    ];
    return finish(between, 'FAILED', exhaustedOutcome(calls), lastResult(calls));
  }
  const next = planRedial(task, policy, now);
  return {
    ...between,
    next_attempt_at: next.at.toISOString(),
    next_attempt_reason: `${conclusion.outcome} ${next.reason}`,
  };
}

function finish(
  task: Task,
  status: 'COMPLETED' | 'FAILED',
  outcome: string,
  result: CallResult | null,
): Task {
  return {
    ...task,
    status,
    task_outcome: outcome,
    result,
    next_attempt_at: null,
    next_attempt_reason: null,
  };
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

function exhaustedOutcome(calls: readonly EarlierCall[]): string {
  const count = calls.length === 1 ? '1 call' : `${calls.length} calls`;
  const story = `${count}: ${calls.map(({ status }) => shortNames[status]).join(', ')}.`;
  const lastConversation = calls.findLast(({ result }) => result !== null);
  if (lastConversation !== undefined) {
    return `No definite answer after ${story} Last conversation: ${lastConversation.call_outcome ?? ''}`.trim();
  }
  // "Failed" alone explains nothing.
  const last = calls.at(-1);
  return `Not reached after ${story} ${last?.status === 'FAILED' ? (last.call_outcome ?? '') : ''}`.trim();
}

function lastResult(calls: readonly EarlierCall[]): CallResult | null {
  return calls.findLast(({ result }) => result !== null)?.result ?? null;
}
