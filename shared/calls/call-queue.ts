import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientLimits } from '#shared/aws/client-limits.ts';
import { carryTrace } from '#shared/observability/trace.ts';
import type { CallMessage } from './call-message.ts';

export interface CallQueue {
  readonly url: string;
  readonly client: SQSClient;
}

/** Opens the queue; region, credentials and endpoint come from the environment. */
export function openCallQueue(url: string, client: SQSClient = new SQSClient(clientLimits())): CallQueue {
  return { url, client: carryTrace(client) };
}

/**
 * Puts a message on the call queue.
 *
 * @param fairnessGroup the project where it is known: SQS fair queues keep one group's backlog from delaying others
 * @param delaySeconds how long it stays invisible, at most 900
 */
export async function enqueueCallMessage(
  queue: CallQueue,
  message: CallMessage,
  fairnessGroup?: string,
  delaySeconds = 0,
): Promise<void> {
  await queue.client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: JSON.stringify(message),
      ...(fairnessGroup === undefined ? {} : { MessageGroupId: fairnessGroup }),
      ...(delaySeconds === 0 ? {} : { DelaySeconds: delaySeconds }),
    }),
  );
}
