import { finishTask } from '#shared/calls/lifecycle/conclude-task.ts';
import { isEnded } from '#shared/calls/lifecycle/reduce-call.ts';
import { type Call, versioned } from '#shared/domain/call.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { getCall, replaceCallItems } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { replaceTaskItem, type TaskWithCalls } from '#shared/table/task.ts';
import { type Alongside, nothingAlongside, writeTransaction } from '#shared/table/transaction.ts';
import { getOwnTask } from './get-task.ts';

export interface CancelledTask extends TaskWithCalls {
  /** The call to end at the carrier; null if none is in progress. */
  readonly callToEnd: Call | null;
}

export interface TaskCancellation {
  /** The caller's project. */
  readonly projectId: string;
  readonly taskId: string;
  readonly now?: () => Date;
  readonly alongside?: Alongside<CancelledTask>;
}

/**
 * Cancels an unfinished task, and returns it with its newest call. The task stays CANCELLED, and takes what its current
 * call still yields into its result. The same transaction marks a call in progress and makes it due, so that it is
 * ended at the carrier even if the queue message is lost. One of concurrent callers succeeds. Throws the same
 * `not_found` for another project's task as for an unknown one, `conflict` for a finished one, `IdempotencyKeyTaken`
 * when the same request has canceled it.
 */
export function cancelTask(
  table: Table,
  { projectId, taskId, now = () => new Date(), alongside = nothingAlongside }: TaskCancellation,
): Promise<CancelledTask> {
  return retryOnConflict(async () => {
    const found = await getOwnTask(table, projectId, taskId);
    const { task } = found;
    if (isTerminalTaskStatus(task.status)) {
      throw new ServiceError('conflict', `Task is already ${task.status} and cannot be cancelled`);
    }
    const at = now();
    const cancelled = finishTask(
      { ...task, updated_at: at.toISOString() },
      'CANCELLED',
      cancelledOutcome(task),
    );
    const call = await callUnderWay(table, found);
    const callToEnd = call === null ? null : endRequested(call, at);
    const calls = found.calls.map((shown) => (shown.id === callToEnd?.id ? callToEnd : shown));
    const result = { ...found, task: cancelled, calls, callToEnd };
    await writeTransaction(table, [
      ...alongside(result),
      replaceTaskItem(table, task, cancelled),
      ...(call === null || callToEnd === null ? [] : replaceCallItems(table, call, callToEnd)),
    ]);
    return result;
  });
}

/** The task's current call, unless it has ended and only its recording is awaited. */
async function callUnderWay(table: Table, { task, calls }: TaskWithCalls): Promise<Call | null> {
  const { current_call_id } = task;
  if (current_call_id === null) return null;
  const call =
    calls.find(({ id }) => id === current_call_id) ?? (await getCall(table, task.id, current_call_id));
  return call === null || isEnded(call) ? null : call;
}

function endRequested(call: Call, now: Date): Call {
  const at = now.toISOString();
  return versioned(call, { ...call, end_requested_at: at, due_at: at }, now);
}

function cancelledOutcome({ attempts }: Task): string {
  if (attempts === 0) return 'Canceled. No call was made.';
  return `Canceled. ${attempts === 1 ? '1 call was' : `${attempts} calls were`} made.`;
}
