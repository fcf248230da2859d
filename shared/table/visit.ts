import type { Table } from './client.ts';
import { expiresIn } from './time-to-live.ts';
import type { TransactionItem } from './transaction.ts';
import { itemPut, when } from './transaction-items.ts';

/** Holds when the visit has not begun yet, or is long over, whether or not its item has been deleted. */
export function beginVisitItem(table: Table, visitHash: string, seconds: number, now: Date): TransactionItem {
  return itemPut(
    table,
    { pk: `VISIT#${visitHash}`, sk: 'VISIT', type: 'visit', ...expiresIn(seconds, now.getTime()) },
    when('attribute_not_exists(pk) OR expires_at_seconds <= :now', { now: Math.floor(now.getTime() / 1000) }),
  );
}
