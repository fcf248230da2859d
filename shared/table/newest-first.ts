import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';
import { ToSeal } from './to-seal.ts';

/** Items in one or several partitions of a global secondary index, sorted by their UUIDv7. */
export interface IndexedItems {
  readonly index: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly partitions: readonly string[];
  /** Attributes to read, with dots for nested ones: `result.goal_reached`; default: all. */
  readonly attributes?: readonly string[] | undefined;
  /** Whether the index has so few attributes that thousands of items can be scanned. */
  readonly isSlim?: boolean;
  /** Whether none of these attributes is ever sealed, so that nothing has to be opened. */
  readonly isPlain?: boolean;
  /** Leaves out the items that do not meet all of these. */
  readonly only?: readonly ItemCondition[];
  /** Leaves out more items, by what the index does not have. */
  readonly check?: RowCheck | null;
}

/** The rows that pass. */
export type RowCheck = (rows: readonly Record<string, unknown>[]) => Promise<Record<string, unknown>[]>;

/** A condition on an attribute; a missing one equals nothing. */
export interface ItemCondition {
  /** Members of objects with a dot: `listed.result.ending`. */
  readonly attribute: string;
  readonly comparison?: 'equal' | 'unequal' | 'above' | 'exists' | 'missing';
  /**
   * Ignored by `exists` and `missing`. A value to seal is also compared with its plain form, which earlier versions
   * stored.
   */
  readonly value: string | boolean | ToSeal;
}

/** Selects the items. */
export interface PageRequest {
  readonly limit: number;
  /** The last ID of the previous page; null for the first page. */
  readonly before: string | null;
  /** The newest first unless the oldest are asked for. */
  readonly order?: Order | undefined;
  /** The exclusive end of the list, in its order. */
  readonly until?: string | null | undefined;
}

export type Order = 'newest-first' | 'oldest-first';

export interface Page<Item> {
  readonly items: Item[];
  /** The `before` of the next page; null at the end. */
  readonly next: string | null;
}

/** Page size per partition when not all items are wanted. */
const filteredAtOnce = 100;
/** The most rounds over the partitions for one page. */
const maxRounds = 5;
/** The same in a slim index, whose rounds read more rows. */
const slimRounds = 2;
const slimRows = 1600;
/** Sort after and before every ID, which is hexadecimal. */
const ends: Readonly<Record<Order, string>> = { 'newest-first': 'g', 'oldest-first': '0' };

/** Whether one ID precedes another in a list. */
function stands(one: string, before: string, order: Order): boolean {
  return order === 'newest-first' ? one > before : one < before;
}

/** Progress within one partition. */
interface PartitionRead {
  readonly partition: string;
  readonly found: { readonly id: string; readonly item: Record<string, unknown> }[];
  /** The unread rest starts after this ID; null when all has been read. */
  readonly unreadBehind: string | null;
}

/**
 * A page of items, newest first by default, merged from their partitions. The work is bounded: if many items are
 * filtered out or large, a page may be short or empty and still have a successor. Items added during paging are newer
 * than its position, so nothing is repeated or skipped. Eventually consistent.
 */
export async function readNewestFirst<Item>(
  table: Table,
  source: IndexedItems,
  { limit, before, order = 'newest-first', until = null }: PageRequest,
  parse: (item: Record<string, unknown>) => Item,
): Promise<Page<Item>> {
  // DynamoDB refuses a range whose ends are reversed.
  if (until !== null && !stands(before ?? ends[order], until, order)) return { items: [], next: null };
  let reads: PartitionRead[] = source.partitions.map((partition) => ({
    partition,
    found: [],
    unreadBehind: before ?? ends[order],
  }));
  for (let round = 0; round < roundsOf(source); round += 1) {
    // The item after the page, which proves that there is a next one.
    const oneMore = sorted(reads, order)[limit];
    if (!reads.some((read) => holdsBack(read, oneMore, order))) break;
    reads = await Promise.all(
      reads.map(async (read) =>
        holdsBack(read, oneMore, order)
          ? await readOn(table, source, read, itemsAtOnce(source, limit, round), { order, until })
          : read,
      ),
    );
  }
  const { items, next } = firstOf(reads, limit, order);
  return { items: items.map(parse), next };
}

function roundsOf({ only = [], isSlim = false }: IndexedItems): number {
  return isSlim && only.length > 0 ? slimRounds : maxRounds;
}

/**
 * IDs end in random digits, so a page takes about as much from each partition: two standard deviations more usually
 * suffice.
 */
function itemsAtOnce(
  { partitions, only = [], check = null, isSlim = false }: IndexedItems,
  limit: number,
  round: number,
): number {
  if (only.length > 0 || check !== null) {
    return isSlim && round > 0 ? Math.ceil(slimRows / partitions.length) - filteredAtOnce : filteredAtOnce;
  }
  const mean = (limit + 1) / partitions.length;
  return Math.min(limit + 1, Math.ceil(mean + 2 * Math.sqrt(mean)));
}

function sorted(reads: readonly PartitionRead[], order: Order): PartitionRead['found'] {
  return reads.flatMap(({ found }) => found).sort((a, b) => (stands(b.id, a.id, order) ? 1 : -1));
}

/** Whether the partition may still have an item of the page, or the one after it. */
function holdsBack(
  { unreadBehind }: PartitionRead,
  oneMore: PartitionRead['found'][number] | undefined,
  order: Order,
): boolean {
  if (unreadBehind === null) return false;
  return oneMore === undefined || stands(unreadBehind, oneMore.id, order);
}

async function readOn(
  table: Table,
  source: IndexedItems,
  read: PartitionRead,
  limit: number,
  { order, until }: { readonly order: Order; readonly until: string | null },
): Promise<PartitionRead> {
  const { index, partitionKey, sortKey, attributes, isPlain = false, only = [], check = null } = source;
  const range = unreadRange(read.unreadBehind ?? ends[order], until, order);
  // Uses placeholders throughout, because some names are reserved words.
  const paths = (attributes ?? []).map((path, position) =>
    path.split('.').map((name, depth) => [`#a${position}_${depth}`, name] as const),
  );
  const names = Object.fromEntries(paths.flat());
  const client = isPlain ? table.stored : table.client;
  const { Items = [], LastEvaluatedKey } = await client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: index,
      KeyConditionExpression: `#pk = :pk AND #sk ${range.condition}`,
      ScanIndexForward: order === 'oldest-first',
      Limit: limit,
      ExpressionAttributeNames: {
        '#pk': partitionKey,
        '#sk': sortKey,
        ...names,
        ...namesOf(only),
      },
      ExpressionAttributeValues: {
        ':pk': read.partition,
        ...range.values,
        ...valuesOf(only),
      },
      ...(attributes === undefined
        ? {}
        : {
            ProjectionExpression: [
              '#sk',
              ...paths.map((path) => path.map(([placeholder]) => placeholder).join('.')),
            ].join(', '),
          }),
      ...filterOf(only),
    }),
  );
  const passing = check === null ? Items : await check(Items);
  return {
    ...read,
    found: [
      ...read.found,
      ...passing
        .map((item) => ({ id: String(item[sortKey]), item }))
        .filter(({ id }) => !range.ends.includes(id)),
    ],
    unreadBehind: LastEvaluatedKey === undefined ? null : String(LastEvaluatedKey[sortKey]),
  };
}

/** The unread part of a partition as a condition on its sort key, without `ends`, which a range includes. */
function unreadRange(
  unreadBehind: string,
  until: string | null,
  order: Order,
): { readonly condition: string; readonly values: Record<string, string>; readonly ends: readonly string[] } {
  if (until === null) {
    const condition = `${order === 'newest-first' ? '<' : '>'} :unread_behind`;
    return { condition, values: { ':unread_behind': unreadBehind }, ends: [] };
  }
  const [low = '', high = ''] = [until, unreadBehind].sort();
  return { condition: 'BETWEEN :low AND :high', values: { ':low': low, ':high': high }, ends: [low, high] };
}

/** The items of which it is certain that no newer one is still unread. */
function firstOf(
  reads: readonly PartitionRead[],
  limit: number,
  order: Order,
): Page<Record<string, unknown>> {
  const unread = reads.flatMap(({ unreadBehind }) => unreadBehind ?? []);
  const [unreadBehind = null] = unread.sort((a, b) => (stands(b, a, order) ? 1 : -1));
  const certain = sorted(reads, order).filter(
    ({ id }) => unreadBehind === null || !stands(unreadBehind, id, order),
  );
  const shown = certain.slice(0, limit);
  const last = certain.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(({ item }) => item), next: last?.id ?? unreadBehind };
}

/** The most items counted per partition, which bounds the cost. */
const countedPerPartition = 50;

/**
 * How many items there are, as far as one request per partition counts.
 *
 * @param between exclusive bounds of the items' IDs; null for none
 */
export async function countItems(
  table: Table,
  { index, partitionKey, sortKey, partitions, only = [] }: IndexedItems,
  { above, below }: { readonly above: string | null; readonly below: string | null },
): Promise<{ readonly count: number; readonly isAll: boolean }> {
  const counted = await Promise.all(
    partitions.map(async (partition) => {
      const { Count = 0, LastEvaluatedKey } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: index,
          Select: 'COUNT',
          // The key condition takes one inclusive range; no item has such an ID itself.
          KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :above AND :below',
          Limit: countedPerPartition,
          ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey, ...namesOf(only) },
          ExpressionAttributeValues: {
            ':pk': partition,
            ':above': above ?? ends['oldest-first'],
            ':below': below ?? ends['newest-first'],
            ...valuesOf(only),
          },
          ...filterOf(only),
        }),
      );
      return { count: Count, isAll: LastEvaluatedKey === undefined };
    }),
  );
  return {
    count: counted.reduce((sum, { count }) => sum + count, 0),
    isAll: counted.every(({ isAll }) => isAll),
  };
}

/** The names on the path to a value, by placeholder. */
function pathOf({ attribute }: ItemCondition, position: number): (readonly [string, string])[] {
  return attribute.split('.').map((name, depth) => [`#o${position}_${depth}`, name]);
}

function namesOf(only: readonly ItemCondition[]): Record<string, string> {
  return Object.fromEntries(only.flatMap(pathOf));
}

function valuesOf(only: readonly ItemCondition[]): Record<string, unknown> {
  return Object.fromEntries(
    only.flatMap(({ comparison, value }, position) => {
      if (comparison === 'exists' || comparison === 'missing') return [];
      const own = [[`:o${position}`, value]];
      return value instanceof ToSeal ? [...own, [`:p${position}`, value.plain]] : own;
    }),
  );
}

function filterOf(only: readonly ItemCondition[]): { FilterExpression?: string } {
  return only.length === 0 ? {} : { FilterExpression: only.map(conditionText).join(' AND ') };
}

function conditionText(condition: ItemCondition, position: number): string {
  const path = pathOf(condition, position)
    .map(([placeholder]) => placeholder)
    .join('.');
  if (condition.value instanceof ToSeal) return `${path} IN (:o${position}, :p${position})`;
  switch (condition.comparison ?? 'equal') {
    case 'equal':
      return `${path} = :o${position}`;
    case 'unequal':
      return `NOT (${path} = :o${position})`;
    case 'above':
      return `${path} > :o${position}`;
    case 'exists':
      return `attribute_exists(${path})`;
    case 'missing':
      return `attribute_not_exists(${path})`;
  }
}
