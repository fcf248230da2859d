import * as z from 'zod/mini';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { putItem } from './create-item.ts';
import { getItem } from './get-item.ts';
import { dueShardCount, endedPartition, indexNames } from './indexes.ts';
import { PrimaryKey } from './primary-key.ts';
import { queryPages } from './query-pages.ts';

const key = { pk: 'ANNOUNCED', sk: 'ANNOUNCED' };

const Announced = z.object({ through: z.array(Timestamp) });

/** The time up to which each shard's ended tasks and calls are known to be published. */
export type AnnouncedThrough = readonly string[];

const always = new Date(0).toISOString();

export async function getAnnouncedThrough(table: Table): Promise<AnnouncedThrough> {
  const announced = await getItem(table, key, Announced.parse, { consistently: false });
  const through = announced?.through ?? [];
  // Earlier versions stored more.
  return Array.from({ length: dueShardCount }, (_, shard) => through[shard] ?? always);
}

/** An outdated run may move it back: published items are then merely checked again. */
export async function putAnnouncedThrough(table: Table, through: AnnouncedThrough): Promise<void> {
  await putItem(table, { ...key, type: 'announced', through });
}

export interface EndedItem extends PrimaryKey {
  readonly endedAt: string;
}

/** The tasks and calls of a shard that ended from one time to another, both inclusive, in this order. */
export async function* findEnded(
  table: Table,
  shard: number,
  { from, until }: { readonly from: string; readonly until: string },
): AsyncGenerator<EndedItem[]> {
  const pages = queryPages(table, {
    IndexName: indexNames.due,
    KeyConditionExpression: 'due_pk = :ended AND due_at BETWEEN :from AND :until',
    ExpressionAttributeValues: { ':ended': endedPartition(shard), ':from': from, ':until': until },
    Limit: 100,
  });
  for await (const items of pages) {
    yield items.map((item) => ({ ...PrimaryKey.parse(item), endedAt: Timestamp.parse(item.due_at) }));
  }
}
