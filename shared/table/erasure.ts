import { Erasure } from '#shared/domain/erasure.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { dueIndexAttributes } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, itemPut, when } from './transaction-items.ts';

const prefix = 'ERASURE#';

function erasureKey(id: string): PrimaryKey {
  return { pk: `${prefix}${id}`, sk: 'ERASURE' };
}

/** The identifier of what is erased, from the key of the item. */
export function erasureIdOfKey({ pk }: { readonly pk: string }): string {
  return pk.slice(prefix.length);
}

function erasureItem(erasure: Erasure): Record<string, unknown> {
  return {
    ...erasureKey(erasure.id),
    type: 'erasure',
    ...erasure,
    // Last, because index keys are strings or absent, never null.
    due_at: undefined,
    ...dueIndexAttributes(erasure.id, erasure.due_at),
  };
}

/** Requires that the same has not been ordered before. */
export function createErasureItem(table: Table, erasure: Erasure): TransactionItem {
  return itemPut(table, erasureItem(erasure), isNew);
}

/** Requires that the erasure is not done. */
export function replaceErasureItem(table: Table, next: Erasure): TransactionItem {
  return itemPut(table, erasureItem(next), when('#status = :pending', { pending: 'PENDING' }));
}

/** Strongly consistent: a client who just got the receipt must find it. */
export async function getErasure(table: Table, id: string): Promise<Erasure | null> {
  return getItem(table, erasureKey(id), (item) => Erasure.parse({ due_at: null, ...item }));
}
