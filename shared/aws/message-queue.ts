import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type ClientLimits, clientLimits } from './client-limits.ts';

export interface MessageQueue {
  readonly url: string;
  readonly client: SQSClient;
}

/** The longest message delay of SQS. */
export const longestDelaySeconds = 900;

/** A client of the queues; region, credentials and endpoint come from the environment. */
export function openQueueClient(queueLimits: () => ClientLimits = clientLimits): SQSClient {
  return new SQSClient(queueLimits());
}

export interface Sending {
  /** SQS fair queues keep one group's backlog from delaying others. */
  readonly fairnessGroup?: string | undefined;
  /** How long it stays invisible; capped at `longestDelaySeconds`. */
  readonly delaySeconds?: number;
}

export async function sendMessage(
  { url, client }: MessageQueue,
  message: object,
  { fairnessGroup, delaySeconds = 0 }: Sending = {},
): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: url,
      MessageBody: JSON.stringify(message),
      ...(fairnessGroup === undefined ? {} : { MessageGroupId: fairnessGroup }),
      ...(delaySeconds === 0 ? {} : { DelaySeconds: Math.min(delaySeconds, longestDelaySeconds) }),
    }),
  );
}
