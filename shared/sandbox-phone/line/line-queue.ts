import * as z from 'zod/mini';
import { type MessageQueue, sendMessage } from '#shared/aws/message-queue.ts';

/** Message of the line queue: one call to play, not before its turn, if given. */
export const LineMessage = z.object({ call_sid: z.string(), not_before: z.optional(z.string()) });
export type LineMessage = z.infer<typeof LineMessage>;

export type LineQueue = MessageQueue;

/** @param delaySeconds capped at SQS's limit */
export function enqueueLine(queue: LineQueue, message: LineMessage, delaySeconds = 0): Promise<void> {
  return sendMessage(queue, message, { delaySeconds });
}

/** Plays a call on its turn. A turn beyond SQS's longest delay takes several messages. */
export async function enqueueTurn(queue: LineQueue, callSid: string, turn: Date, now: Date): Promise<void> {
  const waitSeconds = Math.max(0, Math.ceil((turn.getTime() - now.getTime()) / 1000));
  await enqueueLine(queue, { call_sid: callSid, not_before: turn.toISOString() }, waitSeconds);
}

/** Whether a call's turn has come; sends an early message again. */
export async function isTurn(
  queue: LineQueue,
  { call_sid, not_before }: LineMessage,
  now: Date,
): Promise<boolean> {
  // A message may arrive slightly before its time.
  if (not_before === undefined || Date.parse(not_before) - now.getTime() < 1000) return true;
  await enqueueTurn(queue, call_sid, new Date(not_before), now);
  return false;
}
