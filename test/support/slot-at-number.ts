import type { SlotTaken } from '#shared/calls/dial/claim-call.ts';
import type { Task } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import { getLine } from '#shared/table/line.ts';

/** A slot at a task's number, for a test that claims without requesting one. */
export async function slotAtNumber(
  table: Table,
  { phone_number }: Pick<Task, 'phone_number'>,
  carrier: 'sandbox' | 'live' = 'sandbox',
): Promise<SlotTaken['line']> {
  const read = await getLine(table, { carrier, phone_number });
  return { read, change: { waiting: read.capacity.waiting, maxCalls: 1 } };
}
