import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';

/*
 * A function lives only as long as a frame is being answered, so somebody else must notice that no frame comes. One
 * message per conversation travels through a queue, each time with the delay after which it is worth looking again.
 */

/** Identifiers only: a queue holds no health information. */
export const NoInputMessage = z.object({ call_id: Uuid });
export type NoInputMessage = z.infer<typeof NoInputMessage>;

export interface NoInputTimer {
  /** How long it may be quiet before that is an event, in milliseconds. */
  readonly silenceMs: number;
  /** Has the conversation looked at after that time. */
  schedule(callId: string, inMs: number): Promise<void>;
}

/** SQS delays a message by whole seconds, 15 minutes at most. */
const longestDelaySeconds = 900;

/** Opens the watch's queue; region, credentials and endpoint come from the environment. */
export function openNoInputTimer(
  queueUrl: string,
  silenceSeconds: number,
  client: SQSClient = new SQSClient({}),
): NoInputTimer {
  return {
    silenceMs: silenceSeconds * 1000,
    async schedule(callId, inMs) {
      const message: NoInputMessage = { call_id: callId };
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          DelaySeconds: Math.min(longestDelaySeconds, Math.max(1, Math.ceil(inMs / 1000))),
        }),
      );
    },
  };
}
