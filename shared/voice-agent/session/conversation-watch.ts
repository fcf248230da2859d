import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';

/*
 * A function lives only as long as a frame is being answered, so somebody else must notice that no frame comes. One
 * message per conversation travels through a queue, each time with the delay after which it is worth looking again.
 */

/** Identifiers only: a queue holds no health information. */
export const WatchMessage = z.object({ call_id: Uuid });
export type WatchMessage = z.infer<typeof WatchMessage>;

export interface ConversationWatch {
  /** How long it may be quiet before that is an event, in milliseconds. */
  readonly silenceMs: number;
  /** Has the conversation looked at after that time. */
  lookAgain(callId: string, inMs: number): Promise<void>;
}

/** SQS delays a message by whole seconds, 15 minutes at most. */
const longestDelaySeconds = 900;

/** Opens the watch's queue; region, credentials and endpoint come from the environment. */
export function openConversationWatch(
  queueUrl: string,
  silenceSeconds: number,
  client: SQSClient = new SQSClient({}),
): ConversationWatch {
  return {
    silenceMs: silenceSeconds * 1000,
    async lookAgain(callId, inMs) {
      const message: WatchMessage = { call_id: callId };
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
