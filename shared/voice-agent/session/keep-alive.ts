import type { OutboundRelayFrame } from '#shared/carrier/relay-frames.ts';
import type { Conversation } from '#shared/table/conversation.ts';
import type { WatchServices } from './conversation-services.ts';
import type { NoInputMessage } from './no-input-timer.ts';
import { sendFrames } from './take-turn.ts';

/*
 * On hold nothing is said for a long time, and API Gateway closes a WebSocket that was idle for 10 minutes
 * ("Amazon API Gateway quotas": idle connection timeout). Whether the carrier's pings count is unknown.
 */

/** An empty text in an unfinished turn: there is nothing to speak. */
const nothing: OutboundRelayFrame = { type: 'text', token: '', last: false };

/** Sends an empty frame if the socket has been idle for long; `nextMs` is the time of the next check. */
export async function keepAlive(
  { connections, keepAliveMs }: Pick<WatchServices, 'connections' | 'keepAliveMs'>,
  { connection_id, updated_at }: Pick<Conversation, 'connection_id' | 'updated_at'>,
  { kept_alive_at }: Pick<NoInputMessage, 'kept_alive_at'>,
  now: Date,
): Promise<{ at: string | undefined; nextMs: number }> {
  const lastMs = Math.max(Date.parse(updated_at), Date.parse(kept_alive_at ?? updated_at));
  const restMs = lastMs + keepAliveMs - now.getTime();
  if (restMs > 0) return { at: kept_alive_at, nextMs: restMs };
  await sendFrames(connections, connection_id, [nothing]);
  return { at: now.toISOString(), nextMs: keepAliveMs };
}
