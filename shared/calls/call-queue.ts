import { type MessageQueue, openQueueClient, sendMessage } from '#shared/aws/message-queue.ts';
import { carryTrace } from '#shared/observability/trace.ts';
import type { CallMessage } from './call-message.ts';

export type CallQueue = MessageQueue;

export function openCallQueue(url: string, client = openQueueClient()): CallQueue {
  return { url, client: carryTrace(client) };
}

/**
 * @param fairnessGroup the project where it is known
 * @param delaySeconds how long it stays invisible, at most 900
 */
export function enqueueCallMessage(
  queue: CallQueue,
  message: CallMessage,
  fairnessGroup?: string,
  delaySeconds = 0,
): Promise<void> {
  return sendMessage(queue, message, { fairnessGroup, delaySeconds });
}
