import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { clientLimits } from '#shared/aws/client-limits.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { Timestamp } from '#shared/domain/values.ts';

/*
 * A function lives only as long as a frame is being answered, so somebody else must notice that no frame comes. One
 * message per conversation travels through a queue, each time with the delay after which it is worth looking again. The
 * conversation's watch (`conversation-watch.ts`) survives the loss of it.
 */

/** Identifiers and times only: a queue holds no health information. */
export const NoInputMessage = z.object({
  call_id: Uuid,
  /** The chain that the message goes on with, and until when it may; none when the sweeper begins one. */
  chain: z.optional(Uuid),
  until: z.optional(Timestamp),
  /** When the socket was last kept open by a frame that says nothing. */
  kept_alive_at: z.optional(Timestamp),
});
export type NoInputMessage = z.infer<typeof NoInputMessage>;

export interface NoInputTimer {
  /** How long it may be quiet before that is an event, in milliseconds. */
  readonly silenceMs: number;
  /** Has the conversation looked at after that time. */
  schedule(message: NoInputMessage, inMs: number): Promise<void>;
}

/** SQS delays a message by whole seconds, 15 minutes at most. */
const longestDelaySeconds = 900;

export interface WatchQueue {
  readonly url: string;
  readonly client: SQSClient;
}

/** Opens the watch's queue; region, credentials and endpoint come from the environment. */
export function openNoInputTimer(
  queueUrl: string,
  silenceSeconds: number,
  client: SQSClient = new SQSClient(clientLimits()),
): NoInputTimer {
  return {
    silenceMs: silenceSeconds * 1000,
    schedule: (message, inMs) =>
      enqueueNoInputMessage({ url: queueUrl, client }, message, Math.max(1, Math.ceil(inMs / 1000))),
  };
}

/** @param delaySeconds whole seconds until the message is seen */
export async function enqueueNoInputMessage(
  { url, client }: WatchQueue,
  message: NoInputMessage,
  delaySeconds: number,
): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: url,
      MessageBody: JSON.stringify(message),
      DelaySeconds: Math.min(longestDelaySeconds, delaySeconds),
    }),
  );
}
