import * as z from 'zod/mini';
import { type MessageQueue, sendMessage } from '#shared/aws/message-queue.ts';
import { Uuid } from '#shared/domain/identifiers.ts';

/** The recording of a call needs work; the call says which. */
export const RecordingMessage = z.object({ task_id: Uuid, call_id: Uuid });
export type RecordingMessage = z.infer<typeof RecordingMessage>;

/**
 * A queue of its own, because fetching a long recording takes minutes and must delay neither dialing nor carrier
 * events.
 */
export type RecordingQueue = MessageQueue;

/**
 * Enqueues the work on a call's recording. Idempotent.
 *
 * @param fairnessGroup the project where it is known
 * @param delaySeconds how long it stays invisible, at most 900
 */
export function enqueueRecording(
  queue: RecordingQueue,
  message: RecordingMessage,
  fairnessGroup?: string,
  delaySeconds = 0,
): Promise<void> {
  return sendMessage(queue, message, { fairnessGroup, delaySeconds });
}
