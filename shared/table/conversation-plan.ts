import type { Table } from './client.ts';
import { deleteItem } from './delete-items.ts';
import { getItem } from './get-item.ts';
import { unpack } from './packed.ts';
import { sealPacked } from './to-seal.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, itemPut } from './transaction-items.ts';

/*
 * The plan of a call is made once and never changes, while the conversation is rewritten at every turn: kept apart,
 * so that no turn rewrites the plan and a reader can cache it. It belongs to the voice agent, which
 * parses it with its own schema; the table only keeps it.
 */

export function conversationPlanKey(callId: string): { pk: string; sk: string } {
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
