import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { clientLimits } from '#shared/aws/client-limits.ts';
import { carryTrace } from '#shared/observability/trace.ts';

/**
 * Asks the delivery worker to look at one delivery. It is the key of the delivery's item and nothing else, so the
 * sweeper makes one from any due delivery it finds, and a message too many does no harm: the item says what is due.
 */
export const DeliveryMessage = z.object({ pk: z.string(), sk: z.string() });
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

export interface DeliveryQueue {
  readonly url: string;
  readonly client: SQSClient;
}

/** Opens the queue; region, credentials and endpoint come from the environment. */
export function openDeliveryQueue(
  url: string,
  client: SQSClient = new SQSClient(clientLimits()),
): DeliveryQueue {
  return { url, client: carryTrace(client) };
}

/** The longest delay that SQS can give a message. */
export const maxQueueDelaySeconds = 900;

/** @param delaySeconds at most `maxQueueDelaySeconds` */
export async function enqueueDelivery(
  queue: DeliveryQueue,
  { pk, sk }: DeliveryMessage,
  delaySeconds = 0,
): Promise<void> {
  await queue.client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: JSON.stringify({ pk, sk }),
      DelaySeconds: delaySeconds,
      // The endpoint: a fair queue keeps one endpoint's backlog from delaying the others.
      MessageGroupId: pk,
    }),
  );
}
