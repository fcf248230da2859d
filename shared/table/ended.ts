import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { dueShardCount, endedPartition, indexNames } from './indexes.ts';
import { queryPages } from './query-pages.ts';

const key = { pk: 'ANNOUNCED', sk: 'ANNOUNCED' };

/**
 * Where items stand that have ended: in the due index those that wait for nothing more, in the wait queues calls whose
 * recording is still kept.
 */
const endedLists = [
  ...shardsOf(indexNames.due, 'due_pk', 'due_at'),
  ...shardsOf(indexNames.waitQueue, 'lane_pk', 'lane_sk'),
] as const;

function shardsOf(index: string, partitionKey: string, sortKey: string) {
  return Array.from({ length: dueShardCount }, (_, shard) => {
    return { index, partitionKey, sortKey, partition: endedPartition(shard) };
  });
}

const Announced = z.object({ through: z.array(Timestamp) });

/** Up to when each list's ended tasks and calls are known to be announced. */
export type AnnouncedThrough = readonly string[];

const always = new Date(0).toISOString();

export async function getAnnouncedThrough(table: Table): Promise<AnnouncedThrough> {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: key }));
  const { through } = Item === undefined ? { through: [] } : Announced.parse(Item);
  // Earlier versions had fewer lists.
  return endedLists.map((_, list) => through[list] ?? always);
}

/** A run that is overtaken may set it back: what is announced is looked at again then, and stays as it is. */
export async function putAnnouncedThrough(table: Table, through: AnnouncedThrough): Promise<void> {
  await table.client.send(
    new PutCommand({ TableName: table.name, Item: { ...key, type: 'announced', through } }),
  );
}

const Key = z.object({ pk: z.string(), sk: z.string() });
export interface EndedItem extends z.infer<typeof Key> {
  readonly endedAt: string;
}

/** The tasks and calls of a list that ended from one time to another, both inclusive, in this order. */
export async function* findEnded(
  table: Table,
  list: number,
  { from, until }: { readonly from: string; readonly until: string },
): AsyncGenerator<EndedItem[]> {
  const found = endedLists[list];
  if (found === undefined) return;
  const { index, partitionKey, sortKey, partition } = found;
  const pages = queryPages(table, {
    IndexName: index,
    KeyConditionExpression: `${partitionKey} = :ended AND ${sortKey} BETWEEN :from AND :until`,
    ExpressionAttributeValues: { ':ended': partition, ':from': from, ':until': until },
    Limit: 100,
  });
  for await (const items of pages) {
    yield items.map((item) => ({ ...Key.parse(item), endedAt: Timestamp.parse(item[sortKey]) }));
  }
}

/** The list of ended items that an item stands in, and its time there; null when it stands in none. */
export function endedEntryOf(
  item: Readonly<Record<string, unknown>>,
): { readonly list: number; readonly endedAt: string } | null {
  const list = endedLists.findIndex(({ partitionKey, partition }) => item[partitionKey] === partition);
  const found = endedLists[list];
  return found === undefined ? null : { list, endedAt: String(item[found.sortKey]) };
}
