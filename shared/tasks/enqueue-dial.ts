import { failFastLimits } from '#shared/aws/client-limits.ts';
import { openQueueClient } from '#shared/aws/message-queue.ts';
import type { BatchMessage, CallMessage, ImportMessage } from '#shared/calls/call-message.ts';
import { type CallQueue, enqueueCallMessage, openCallQueue } from '#shared/calls/call-queue.ts';
import type { Call } from '#shared/domain/call.ts';
import type { Task } from '#shared/domain/task.ts';
import { logError } from '#shared/observability/log.ts';

/** An unresponsive queue must not delay the client, whose task is already in the table. */
export function openFailFastCallQueue(url: string): CallQueue {
  return openCallQueue(url, openQueueClient(failFastLimits));
}

/**
 * Enqueues the dial of a new task, ahead of the sweeper. Only logs a failure, because the sweeper goes by the task's
 * due time.
 */
export async function enqueueDial(queue: CallQueue, task: Task): Promise<void> {
  await tryToEnqueue(queue, { kind: 'dial', task_id: task.id }, task.project_id);
}

/**
 * Enqueues the end of a call, ahead of the sweeper. Only logs a failure, because the sweeper goes by the call's due
 * time.
 */
export async function enqueueEnd(queue: CallQueue, call: Call): Promise<void> {
  await tryToEnqueue(queue, { kind: 'call-due', task_id: call.task_id, call_id: call.id }, call.project_id);
}

/**
 * Enqueues the work on an import or a batch, ahead of the sweeper. Only logs a failure, because the sweeper finds due
 * work.
 */
export async function enqueueWork(queue: CallQueue, message: ImportMessage | BatchMessage): Promise<void> {
  await tryToEnqueue(queue, message, message.project_id);
}

type CallerMessage = Exclude<CallMessage, { kind: 'carrier-event' }>;

async function tryToEnqueue(queue: CallQueue, message: CallerMessage, projectId: string): Promise<void> {
  try {
    await enqueueCallMessage(queue, message, projectId);
  } catch (error) {
    logError('call-message-not-enqueued', error, { ...message });
  }
}
