import { readLineTerms } from '#shared/directory/line-terms.ts';
import type { Call } from '#shared/domain/call.ts';
import { operatorList } from '#shared/domain/opt-out.ts';
import type { Table } from '#shared/table/client.ts';
import { addOptOutItem, getOptOut } from '#shared/table/opt-out.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';

/**
 * Records that the person called asked not to be called again, on each list where none is in force and that does not
 * have this one yet: someone may have decided on the entry since. Requires that none has come into force since it was
 * read. One person does not speak for all who answer a shared line, so an opt-out there waits for review.
 */
export async function saidOptOutItems(table: Table, call: Call, now: Date): Promise<TransactionItem[]> {
  const { id, task_id, project_id, phone_number, carrier } = call;
  const { isShared } = await readLineTerms(table, project_id, phone_number);
  const said = {
    phone_number,
    call_id: id,
    task_id,
    created_at: now.toISOString(),
    ...(isShared ? { status: 'review' as const } : {}),
  };
  const lists = carrier === 'live' ? [project_id, operatorList] : [project_id];
  const items = lists.map(async (list) => {
    const found = await getOptOut(table, list, phone_number);
    if (found?.status === 'active' || found?.call_id === id) return [];
    return [addOptOutItem(table, { ...said, project_id: list === operatorList ? null : list })];
  });
  return (await Promise.all(items)).flat();
}
