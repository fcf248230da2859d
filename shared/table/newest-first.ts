import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';

/** Items that a global secondary index holds in one or several partitions, each sorted by the items' UUIDv7. */
export interface IndexedItems {
  readonly index: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly partitions: readonly string[];
  /** What is read of each item; everything when absent. */
  readonly attributes?: readonly string[] | undefined;
  /** Leaves out the items that do not meet all of these. */
  readonly only?: readonly ItemCondition[];
  /** Leaves out the items with identifiers below this one. */
  readonly from?: string | null;
}

/** What an attribute, or the member `key` of one that is a map, must be; one that is not there equals nothing. */
export interface ItemCondition {
  readonly attribute: string;
  readonly key?: string;
  readonly comparison?: 'equal' | 'unequal' | 'above';
  readonly value: string | boolean;
}

/** Which of the items. */
export interface PageRequest {
  readonly limit: number;
  /** The identifier that a page before this one ended with; null for the first page. */
  readonly before: string | null;
}

export interface Page<Item> {
  readonly items: Item[];
  /** Where the next page begins, as its `before`; null when there is nothing more. */
  readonly next: string | null;
}

/** Items that are looked at in one partition at once when not all of them are wanted. */
const filteredAtOnce = 100;
/** What is not found after so many rounds over the partitions is left to the next page. */
const maxRounds = 5;
/** Sorts behind every identifier, which is written in hexadecimal digits. */
const newest = 'g';

/** How far one partition has been read. */
interface PartitionRead {
  readonly partition: string;
  readonly found: { readonly id: string; readonly item: Record<string, unknown> }[];
  /** What has not been read yet has identifiers below this one; null when all has been read. */
  readonly unreadBelow: string | null;
}

/**
 * A page of items, newest first, merged from their partitions. The work is bounded: where many items are left
 * out or are large, a page may be shorter than asked for, or empty, and still be followed by another. Items
 * that are added while a client pages are newer than its position, so nothing is repeated or skipped.
 * Eventually consistent.
 */
export async function readNewestFirst<Item>(
  table: Table,
  source: IndexedItems,
  { limit, before }: PageRequest,
  parse: (item: Record<string, unknown>) => Item,
): Promise<Page<Item>> {
  if ((source.from ?? '') > (before ?? newest)) return { items: [], next: null };
  let queues: PartitionRead[] = source.partitions.map((partition) => ({
    partition,
    found: [],
    unreadBelow: before ?? newest,
  }));
  const atOnce = itemsAtOnce(source, limit);
  for (
    let round = 0;
    round < maxRounds && queues.some((waitQueue) => holdsBack(waitQueue, queues, limit));
    round += 1
  ) {
    queues = await Promise.all(
      queues.map((waitQueue) =>
        holdsBack(waitQueue, queues, limit) ? readOn(table, source, waitQueue, atOnce) : waitQueue,
      ),
    );
  }
  const { items, next } = firstOf(queues, limit);
  return { items: items.map(parse), next };
}

/**
 * Identifiers end in random digits, so a page takes about as much from each partition; twice as much is
 * enough mostly.
 */
function itemsAtOnce({ partitions, only = [] }: IndexedItems, limit: number): number {
  if (only.length > 0) return filteredAtOnce;
  return Math.min(limit + 1, Math.ceil((2 * (limit + 1)) / partitions.length) + 2);
}

function sorted(queues: readonly PartitionRead[]): PartitionRead['found'] {
  return queues.flatMap(({ found }) => found).sort((a, b) => (a.id < b.id ? 1 : -1));
}

/**
 * Whether the partition may still hold an item of the page, or the one after it, which proves that there is a
 * next page.
 */
function holdsBack({ unreadBelow }: PartitionRead, queues: readonly PartitionRead[], limit: number): boolean {
  if (unreadBelow === null) return false;
  const oneMore = sorted(queues)[limit];
  return oneMore === undefined || unreadBelow > oneMore.id;
}

async function readOn(
  table: Table,
  source: IndexedItems,
  waitQueue: PartitionRead,
  limit: number,
): Promise<PartitionRead> {
  const { index, partitionKey, sortKey, attributes, only = [], from = null } = source;
  // By placeholders throughout, because some of the names are words of the query language.
  const names = Object.fromEntries((attributes ?? []).map((name, position) => [`#a${position}`, name]));
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: index,
      // A range takes in both of its ends; the upper one was read before and is left out below.
      KeyConditionExpression:
        from === null
          ? '#pk = :pk AND #sk < :unread_below'
          : '#pk = :pk AND #sk BETWEEN :from AND :unread_below',
      ScanIndexForward: false,
      Limit: limit,
      ExpressionAttributeNames: {
        '#pk': partitionKey,
        '#sk': sortKey,
        ...names,
        ...Object.fromEntries(only.map(({ attribute }, position) => [`#o${position}`, attribute])),
        ...Object.fromEntries(
          only.flatMap(({ key }, position) => (key === undefined ? [] : [[`#k${position}`, key]])),
        ),
      },
      ExpressionAttributeValues: {
        ':pk': waitQueue.partition,
        ':unread_below': waitQueue.unreadBelow,
        ...(from === null ? {} : { ':from': from }),
        ...Object.fromEntries(only.map(({ value }, position) => [`:o${position}`, value])),
      },
      ...(attributes === undefined
        ? {}
        : { ProjectionExpression: ['#sk', ...Object.keys(names)].join(', ') }),
      ...(only.length === 0 ? {} : { FilterExpression: only.map(conditionText).join(' AND ') }),
    }),
  );
  return {
    ...waitQueue,
    found: [
      ...waitQueue.found,
      ...Items.map((item) => ({ id: String(item[sortKey]), item })).filter(
        ({ id }) => id !== waitQueue.unreadBelow,
      ),
    ],
    unreadBelow: LastEvaluatedKey === undefined ? null : String(LastEvaluatedKey[sortKey]),
  };
}

function conditionText({ key, comparison = 'equal' }: ItemCondition, position: number): string {
  const path = key === undefined ? `#o${position}` : `#o${position}.#k${position}`;
  switch (comparison) {
    case 'equal':
      return `${path} = :o${position}`;
    case 'unequal':
      return `NOT (${path} = :o${position})`;
    case 'above':
      return `${path} > :o${position}`;
  }
}

/** The items of which it is certain that no newer one is still unread. */
function firstOf(queues: readonly PartitionRead[], limit: number): Page<Record<string, unknown>> {
  const unread = queues.flatMap(({ unreadBelow }) => unreadBelow ?? []);
  const unreadBelow = unread.sort().at(-1) ?? null;
  const certain = sorted(queues).filter(({ id }) => unreadBelow === null || id >= unreadBelow);
  const shown = certain.slice(0, limit);
  const last = certain.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(({ item }) => item), next: last?.id ?? unreadBelow };
}
