import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type LogFields, logError } from '#shared/observability/log.ts';
import { carryTrace } from '#shared/observability/trace.ts';
import { clientLimits, failFastLimits } from './client-limits.ts';

export interface MessageQueue {
  readonly url: string;
  readonly client: SQSClient;
}

/** The longest message delay of SQS. */
export const longestDelaySeconds = 900;

/** Region, credentials and endpoint of the client come from the environment. */
export function openQueue(url: string, client = new SQSClient(clientLimits())): MessageQueue {
  return { url, client: carryTrace(client) };
}

/** For callers that an unresponsive queue must not block: what they enqueue is already in the table. */
export function openFailFastQueue(url: string): MessageQueue {
  return openQueue(url, new SQSClient(failFastLimits()));
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

/** Enqueues ahead of the sweeper. Only logs a failure, because the sweeper finds due work. */
export async function tryToEnqueue(sending: Promise<void>, failure: string, about: LogFields): Promise<void> {
  try {
    await sending;
  } catch (error) {
    logError(failure, error, about);
  }
}
