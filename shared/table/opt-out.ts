import { OptOut, type OptOutInput, type OptOutList, operatorList } from '#shared/domain/opt-out.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPrefix } from './query-pages.ts';
import type { TransactionItem } from './transaction.ts';
import { itemCheck, itemPut, when } from './transaction-items.ts';

function optOutKey(list: OptOutList, phoneNumber: string): PrimaryKey {
  const pk = list === operatorList ? operatorList : `PROJECT#${list}`;
  return { pk, sk: `OPTOUT#${phoneNumber}` };
}

function listOf({ project_id }: Pick<OptOutInput, 'project_id'>): OptOutList {
  return project_id ?? operatorList;
}

function optOutItem(optOut: OptOutInput): Record<string, unknown> {
  return { ...optOutKey(listOf(optOut), optOut.phone_number), type: 'opt-out', ...optOut };
}

/** An entry of an earlier version has no status, and is active. */
const mayBeCalled = when('attribute_not_exists(pk) OR #status IN (:lifted, :review)', {
  lifted: 'lifted',
  review: 'review',
});

/** Adds a number to a list, in place of an earlier entry. Requires that it is not in force already. */
export function addOptOutItem(table: Table, optOut: OptOutInput): TransactionItem {
  return itemPut(table, optOutItem(optOut), mayBeCalled);
}

/** Requires that the opt-out is unchanged since it was read. */
export function decideOptOutItem(table: Table, previous: OptOut, next: OptOut): TransactionItem {
  const isOpen = when('created_at = :created AND #status <> :lifted', {
    created: previous.created_at,
    lifted: 'lifted',
  });
  return itemPut(table, optOutItem(next), isOpen);
}

/** Each requires that one of the lists allows calls to the number. */
export function checkNoOptOutItems(
  table: Table,
  lists: readonly OptOutList[],
  phoneNumber: string,
): TransactionItem[] {
  return lists.map((list) => itemCheck(table, optOutKey(list, phoneNumber), mayBeCalled));
}

/** The entry of a number on a list, in any status. Strongly consistent. */
export async function getOptOut(table: Table, list: OptOutList, phoneNumber: string): Promise<OptOut | null> {
  return getItem(table, optOutKey(list, phoneNumber), OptOut.parse);
}

/** The active opt-out of a number on any of the lists; null if none. The caller decides by it whether to dial. */
export async function findActiveOptOut(
  table: Table,
  lists: readonly OptOutList[],
  phoneNumber: string,
): Promise<OptOut | null> {
  const found = await Promise.all(lists.map((list) => getOptOut(table, list, phoneNumber)));
  return found.find((optOut) => optOut?.status === 'active') ?? null;
}

/** All entries of a list, by number, including lifted ones. */
export async function listOptOuts(table: Table, list: OptOutList): Promise<OptOut[]> {
  const first = optOutKey(list, '');
  const items = await queryPrefix(table, first.pk, first.sk);
  return items.map((item) => OptOut.parse(item));
}
