import { type MessageQueue, sendMessage } from '#shared/aws/message-queue.ts';
import type { CallMessage } from './call-message.ts';

export type CallQueue = MessageQueue;

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
