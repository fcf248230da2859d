import { uuidv7 } from '#shared/domain/identifiers.ts';
import { timestampAfter } from '#shared/domain/time.ts';
import { log } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import {
  type ConversationWatch,
  claimConversationWatch,
  renewConversationWatch,
} from '#shared/table/conversation-watch.ts';
import type { NoInputMessage } from './no-input-timer.ts';

/** How late a check may be before the sweeper starts another chain: more than a message that failed twice takes. */
const graceMs = 60_000;
/** The due time moves on by more than necessary, so that not every check writes it. */
const leadMs = 60_000;

/** A new chain of checks, the first of them in `nextMs`. */
export function newWatch(callId: string, nextMs: number, now: Date): ConversationWatch {
  return { call_id: callId, chain: uuidv7(), until: dueAfter(nextMs, now) };
}

/** Extends the watch over a conversation until the next check; null if another chain has it. */
export async function holdWatch(
  table: Table,
  { call_id, chain, until }: NoInputMessage,
  nextMs: number,
  now: Date,
): Promise<ConversationWatch | null> {
  if (chain === undefined || until === undefined) {
    const watch = newWatch(call_id, nextMs, now);
    if (!(await claimConversationWatch(table, watch, now.toISOString()))) return null;
    log('conversation-watched-again');
    return watch;
  }
  if (Date.parse(until) >= now.getTime() + nextMs + graceMs) return { call_id, chain, until };
  const watch = { call_id, chain, until: dueAfter(nextMs, now) };
  return (await renewConversationWatch(table, watch)) ? watch : null;
}

function dueAfter(nextMs: number, now: Date): string {
  return timestampAfter(now, nextMs + graceMs + leadMs);
}
