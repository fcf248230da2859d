import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';

/** Message of the line queue: one call to be played, not before its turn has come when that is told. */
export const LineMessage = z.object({ call_sid: z.string(), not_before: z.optional(z.string()) });
export type LineMessage = z.infer<typeof LineMessage>;

export interface LineQueue {
  readonly url: string;
  readonly client: SQSClient;
}

/** @param delaySeconds at most 900, which is SQS's limit */
export async function enqueueLine(queue: LineQueue, message: LineMessage, delaySeconds = 0): Promise<void> {
  await queue.client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: JSON.stringify(message),
      DelaySeconds: delaySeconds,
    }),
  );
}

const longestDelaySeconds = 900;

/** Has the line play a call when its turn comes. A turn beyond SQS's longest delay takes several messages. */
export async function enqueueTurn(queue: LineQueue, callSid: string, turn: Date, now: Date): Promise<void> {
  const waitSeconds = Math.max(0, Math.ceil((turn.getTime() - now.getTime()) / 1000));
  await enqueueLine(
    queue,
    { call_sid: callSid, not_before: turn.toISOString() },
    Math.min(waitSeconds, longestDelaySeconds),
  );
}

/** Whether the turn of a call has come; an early message is sent on its way again. */
export async function isTurn(
  queue: LineQueue,
  { call_sid, not_before }: LineMessage,
  now: Date,
): Promise<boolean> {
  // A message may arrive a moment before the time that it was sent for.
  if (not_before === undefined || Date.parse(not_before) - now.getTime() < 1000) return true;
  await enqueueTurn(queue, call_sid, new Date(not_before), now);
  return false;
}
