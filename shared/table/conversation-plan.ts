import type { Table } from './client.ts';
import { deleteItem } from './delete-items.ts';
import { getItem } from './get-item.ts';
import { unpack } from './packed.ts';
import type { PrimaryKey } from './primary-key.ts';
import { sealPacked } from './to-seal.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, itemPut } from './transaction-items.ts';

/*
 * The plan of a call never changes, while the conversation is rewritten at every turn: stored separately, so that no
 * turn rewrites the plan and readers can cache it. The voice agent parses it with its own schema.
 */

export function conversationPlanKey(callId: string): PrimaryKey {
  return { pk: `PLAN#${callId}`, sk: 'PLAN' };
}

export function createConversationPlanItem(
  table: Table,
  projectId: string,
  callId: string,
  plan: unknown,
): TransactionItem {
  return itemPut(
    table,
    {
      ...conversationPlanKey(callId),
      type: 'conversation-plan',
      call_id: callId,
      plan: sealPacked(projectId, 'plan', plan),
    },
    isNew,
  );
}

/** Deletes the plan of a call. */
export function deleteConversationPlan(table: Table, callId: string): Promise<void> {
  return deleteItem(table, conversationPlanKey(callId));
}

/** The stored plan; `undefined` without one. */
export async function getConversationPlan(table: Table, callId: string): Promise<unknown> {
  return (await getItem(table, conversationPlanKey(callId), ({ plan }) => unpack(plan))) ?? undefined;
}
