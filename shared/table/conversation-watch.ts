import { Uuid } from '#shared/domain/identifiers.ts';
import type { Table } from './client.ts';
import { dueIndexAttributes } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import { expiresIn } from './time-to-live.ts';
import type { TransactionItem } from './transaction.ts';
import { itemPut, updateIf } from './transaction-items.ts';

/*
 * The no-input timer of a conversation: a chain of queue messages that keeps moving a due time on. If the chain
 * breaks, the conversation becomes due, the sweeper starts another chain, and remains of the first end.
 */

export interface ConversationWatch {
  readonly call_id: string;
  /** Identifies the current chain of messages. */
  readonly chain: string;
  /** When the sweeper considers the chain broken. */
  readonly until: string;
}

const prefix = 'WATCH#';
/** Sessions last 2 h at most. */
const keptSeconds = 3 * 60 * 60;

function watchKey(callId: string): PrimaryKey {
  return { pk: `${prefix}${callId}`, sk: 'WATCH' };
}

/** The call of a due watch. Throws for the key of another item. */
export function callIdOfWatchKey({ pk }: { readonly pk: string }): string {
  return Uuid.parse(pk.startsWith(prefix) ? pk.slice(prefix.length) : '');
}

export function createConversationWatchItem(
  table: Table,
  { call_id, chain, until }: ConversationWatch,
): TransactionItem {
  return itemPut(table, {
    ...watchKey(call_id),
    type: 'conversation-watch',
    call_id,
    chain,
    ...dueIndexAttributes(call_id, until),
    ...expiresIn(keptSeconds, Date.parse(until)),
  });
}

/** Moves the due time on; false if another chain has taken over. */
export function renewConversationWatch(table: Table, watch: ConversationWatch): Promise<boolean> {
  return writeWatch(table, watch, 'chain = :chain', {});
}

/** Starts a chain if none is running; false otherwise. */
export function claimConversationWatch(
  table: Table,
  watch: ConversationWatch,
  now: string,
): Promise<boolean> {
  return writeWatch(table, watch, 'attribute_not_exists(pk) OR due_at <= :now', { now });
}

/** Removes the due time of a finished conversation. */
export async function endConversationWatch(table: Table, callId: string): Promise<void> {
  await updateIf(table, watchKey(callId), {
    change: 'REMOVE due_pk, due_at',
    condition: 'attribute_exists(due_pk)',
    values: {},
  });
}

function writeWatch(
  table: Table,
  { call_id, chain, until }: ConversationWatch,
  condition: string,
  values: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { due_pk, due_at } = dueIndexAttributes(call_id, until);
  const { expires_at_seconds } = expiresIn(keptSeconds, Date.parse(until));
  return updateIf(table, watchKey(call_id), {
    change:
      'SET #type = :type, call_id = :call_id, chain = :chain, due_pk = :due_pk, due_at = :due_at, ' +
      'expires_at_seconds = :expires',
    condition,
    values: {
      type: 'conversation-watch',
      call_id,
      chain,
      due_pk,
      due_at,
      expires: expires_at_seconds,
      ...values,
    },
  });
}
