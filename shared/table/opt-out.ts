import { OptOut, type OptOutInput, type OptOutList, operatorList } from '#shared/domain/opt-out.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { queryAll } from './query-pages.ts';
import type { TransactionItem } from './transaction.ts';

function optOutKey(list: OptOutList, phoneNumber: string): { pk: string; sk: string } {
  const pk = list === operatorList ? operatorList : `PROJECT#${list}`;
  return { pk, sk: `OPTOUT#${phoneNumber}` };
}

function listOf({ project_id }: Pick<OptOutInput, 'project_id'>): OptOutList {
  return project_id ?? operatorList;
}

function optOutPut(table: Table, optOut: OptOutInput) {
  return {
    TableName: table.name,
    Item: { ...optOutKey(listOf(optOut), optOut.phone_number), type: 'opt-out', ...optOut },
  };
}

/** Replaces an earlier one of the same number: what was said last counts. */
export function putOptOutItem(table: Table, optOut: OptOutInput): TransactionItem {
  return { Put: optOutPut(table, optOut) };
}

/** Puts a number on a list. Holds when it does not stand there, or was lifted. */
export function addOptOutItem(table: Table, optOut: OptOutInput): TransactionItem {
  return {
    Put: {
      ...optOutPut(table, optOut),
      ConditionExpression: 'attribute_not_exists(pk) OR #status IN (:lifted, :review)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':lifted': 'lifted', ':review': 'review' },
    },
  };
}

/** Holds when the opt-out is as it was read. */
export function decideOptOutItem(table: Table, previous: OptOut, next: OptOut): TransactionItem {
  return {
    Put: {
      ...optOutPut(table, next),
      ConditionExpression: 'created_at = :created AND #status <> :lifted',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':created': previous.created_at, ':lifted': 'lifted' },
    },
  };
}

/** Each holds when the number may be called as far as one of the lists says. */
export function checkNoOptOutItems(
  table: Table,
  lists: readonly OptOutList[],
  phoneNumber: string,
): TransactionItem[] {
  return lists.map((list) => ({
    ConditionCheck: {
      TableName: table.name,
      Key: optOutKey(list, phoneNumber),
      // One that was written by an earlier version has no status, and holds.
      ConditionExpression: 'attribute_not_exists(pk) OR #status IN (:lifted, :review)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':lifted': 'lifted', ':review': 'review' },
    },
  }));
}

/** The entry of a number on a list, in any status. Strongly consistent. */
export async function getOptOut(table: Table, list: OptOutList, phoneNumber: string): Promise<OptOut | null> {
  return getItem(table, optOutKey(list, phoneNumber), OptOut.parse);
}

/**
 * What forbids to call a number by any of the lists; null when nothing does. The caller decides by it whether to
 * dial.
 */
export async function findActiveOptOut(
  table: Table,
  lists: readonly OptOutList[],
  phoneNumber: string,
): Promise<OptOut | null> {
  const found = await Promise.all(lists.map((list) => getOptOut(table, list, phoneNumber)));
  return found.find((optOut) => optOut?.status === 'active') ?? null;
}

/** All entries of a list, by number, the lifted ones too. */
export async function listOptOuts(table: Table, list: OptOutList): Promise<OptOut[]> {
  const first = optOutKey(list, '');
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :opt_out)',
    ExpressionAttributeValues: { ':pk': first.pk, ':opt_out': first.sk },
    ConsistentRead: true,
  });
  return items.map((item) => OptOut.parse(item));
}
