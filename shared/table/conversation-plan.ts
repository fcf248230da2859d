import type { Table } from './client.ts';
import type { Conversation } from './conversation.ts';
import { deleteItem } from './delete-items.ts';
import { getItem } from './get-item.ts';
import { unpack } from './packed.ts';
import { sealPacked } from './to-seal.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, itemPut } from './transaction-items.ts';

/*
 * The plan of a call never changes, while the conversation is rewritten at every turn: stored separately, so that no
 * turn rewrites the plan and readers can cache it. The voice agent parses it with its own schema.
 */

type PlannedConversation = Pick<Conversation, 'project_id' | 'call_id' | 'connection_id'>;

export function conversationPlanKey(callId: string): { pk: string; sk: string } {
  return { pk: `PLAN#${callId}`, sk: 'PLAN' };
}

/** The plan of the first session of a call, over this connection. */
export function createConversationPlanItem(
  table: Table,
  { project_id, call_id, connection_id }: PlannedConversation,
  plan: unknown,
): TransactionItem {
  return itemPut(
    table,
    {
      ...conversationPlanKey(call_id),
      type: 'conversation-plan',
      call_id,
      connection_id,
      plan: sealPacked(project_id, 'plan', plan),
    },
    isNew,
  );
}

/** Deletes the plan of a call. */
export function deleteConversationPlan(table: Table, callId: string): Promise<void> {
  return deleteItem(table, conversationPlanKey(callId));
}

/** The connection of the first session of a call; null if unknown. */
export async function getPlannedConnection(table: Table, callId: string): Promise<string | null> {
  const connectionOf = ({ connection_id }: Record<string, unknown>): string | null =>
    typeof connection_id === 'string' ? connection_id : null;
  return getItem(table, conversationPlanKey(callId), connectionOf, { attributes: ['connection_id'] });
}

/** The stored plan; `undefined` without one. */
export async function getConversationPlan(table: Table, callId: string): Promise<unknown> {
  return (await getItem(table, conversationPlanKey(callId), ({ plan }) => unpack(plan))) ?? undefined;
}
