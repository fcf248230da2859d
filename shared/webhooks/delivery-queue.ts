import * as z from 'zod/mini';
import { type MessageQueue, openQueueClient, sendMessage } from '#shared/aws/message-queue.ts';
import { carryTrace } from '#shared/observability/trace.ts';

/**
 * Asks the delivery worker to look at one delivery. It is the key of the delivery's item and nothing else, so the
 * sweeper makes one from any due delivery it finds, and a message too many does no harm: the item says what is due.
 */
export const DeliveryMessage = z.object({ pk: z.string(), sk: z.string() });
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

export type DeliveryQueue = MessageQueue;

export function openDeliveryQueue(url: string, client = openQueueClient()): DeliveryQueue {
  return { url, client: carryTrace(client) };
}

/** @param delaySeconds at most what SQS can give a message */
export function enqueueDelivery(
  queue: DeliveryQueue,
  { pk, sk }: DeliveryMessage,
  delaySeconds = 0,
): Promise<void> {
  // The endpoint: a fair queue keeps one endpoint's backlog from delaying the others.
  return sendMessage(queue, { pk, sk }, { fairnessGroup: pk, delaySeconds });
}
