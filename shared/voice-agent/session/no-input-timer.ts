import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { clientLimits } from '#shared/aws/client-limits.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { Timestamp } from '#shared/domain/values.ts';

/*
 * A function lives only while it answers a frame, so another must notice missing frames. One
 * message per conversation travels through a queue, each time delayed until the next useful check. The
 * conversation's watch (`conversation-watch.ts`) survives its loss.
 */

/** Only IDs and times: a queue has no health information. */
export const NoInputMessage = z.object({
  call_id: Uuid,
  /** The message's chain, and its deadline; none if the sweeper starts one. */
  chain: z.optional(Uuid),
  until: z.optional(Timestamp),
  /** The time of the socket's last keep-alive frame. */
  kept_alive_at: z.optional(Timestamp),
});
export type NoInputMessage = z.infer<typeof NoInputMessage>;

export interface NoInputTimer {
  /** How long a silence may last before it is an event, in milliseconds. */
  readonly silenceMs: number;
  /** Schedules a check of the conversation after that time. */
  schedule(message: NoInputMessage, inMs: number): Promise<void>;
}

/** SQS delays a message by whole seconds, at most 15 minutes. */
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

/** @param delaySeconds whole seconds until the message is visible */
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
