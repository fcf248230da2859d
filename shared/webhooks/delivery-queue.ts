import * as z from 'zod/mini';
import { type MessageQueue, sendMessage } from '#shared/aws/message-queue.ts';

/**
 * Requests work on one delivery. It is just the key of the delivery's item, so the sweeper makes one from any due
 * delivery, and duplicates do no harm: the item says what is due.
 */
export const DeliveryMessage = z.object({ pk: z.string(), sk: z.string() });
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

export type DeliveryQueue = MessageQueue;

/** @param delaySeconds at most the message delay of SQS */
export function enqueueDelivery(
  queue: DeliveryQueue,
  { pk, sk }: DeliveryMessage,
  delaySeconds = 0,
): Promise<void> {
  // The endpoint: a fair queue keeps one endpoint's backlog from delaying the others.
  return sendMessage(queue, { pk, sk }, { fairnessGroup: pk, delaySeconds });
}
