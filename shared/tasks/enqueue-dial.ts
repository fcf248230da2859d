import { longestDelaySeconds, tryToEnqueue } from '#shared/aws/message-queue.ts';
import type { BatchMessage, CallMessage, ImportMessage } from '#shared/calls/call-message.ts';
import { type CallQueue, enqueueCallMessage } from '#shared/calls/call-queue.ts';
import type { Call } from '#shared/domain/call.ts';
import type { Task } from '#shared/domain/task.ts';

/**
 * Enqueues the dial of a new task, ahead of the sweeper, to arrive when it is due: the sweeper, up to a minute late,
 * could miss a short time for calls.
 */
export async function enqueueDial(queue: CallQueue, task: Task): Promise<void> {
  const { id: task_id, next_attempt_at, updated_at } = task;
  const untilDueMs = Date.parse(next_attempt_at ?? updated_at) - Date.parse(updated_at);
  const delaySeconds = Math.max(0, Math.ceil(untilDueMs / 1000));
  if (delaySeconds > longestDelaySeconds) return;
  await tryToSend(queue, { kind: 'dial', task_id }, task.project_id, delaySeconds);
}

/** Enqueues the end of a call, ahead of the sweeper, which goes by the call's due time. */
export function enqueueEnd(queue: CallQueue, call: Call): Promise<void> {
  return tryToSend(queue, { kind: 'call-due', task_id: call.task_id, call_id: call.id }, call.project_id);
}

/** Enqueues the work on an import or a batch, ahead of the sweeper. */
export function enqueueWork(queue: CallQueue, message: ImportMessage | BatchMessage): Promise<void> {
  return tryToSend(queue, message, message.project_id);
}

type CallerMessage = Exclude<CallMessage, { kind: 'carrier-event' }>;

function tryToSend(
  queue: CallQueue,
  message: CallerMessage,
  projectId: string,
  delaySeconds = 0,
): Promise<void> {
  const sending = enqueueCallMessage(queue, message, projectId, delaySeconds);
  return tryToEnqueue(sending, 'call-message-not-enqueued', { ...message });
}
