import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { dueShardCount, endedPartition, indexNames } from './indexes.ts';
import { queryPages } from './query-pages.ts';

const key = { pk: 'ANNOUNCED', sk: 'ANNOUNCED' };

const Announced = z.object({ through: z.array(Timestamp).check(z.length(dueShardCount)) });

/** Up to when each shard's ended tasks and calls are known to be announced. */
export type AnnouncedThrough = readonly string[];

const always = new Date(0).toISOString();

export async function getAnnouncedThrough(table: Table): Promise<AnnouncedThrough> {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: key }));
  return Item === undefined
    ? Array.from({ length: dueShardCount }, () => always)
    : Announced.parse(Item).through;
}

/** A run that is overtaken may set it back: what is announced is looked at again then, and stays as it is. */
export async function putAnnouncedThrough(table: Table, through: AnnouncedThrough): Promise<void> {
  await table.client.send(
    new PutCommand({ TableName: table.name, Item: { ...key, type: 'announced', through } }),
  );
}

const EndedKey = z.object({ pk: z.string(), sk: z.string(), due_at: Timestamp });
export type EndedKey = z.infer<typeof EndedKey>;

/** The keys of a shard's tasks and calls that ended from one time to another, both inclusive, in this order. */
export async function* findEnded(
  table: Table,
  shard: number,
  { from, until }: { readonly from: string; readonly until: string },
): AsyncGenerator<EndedKey[]> {
  const pages = queryPages(table, {
    IndexName: indexNames.due,
    KeyConditionExpression: 'due_pk = :ended AND due_at BETWEEN :from AND :until',
    ExpressionAttributeValues: { ':ended': endedPartition(shard), ':from': from, ':until': until },
    Limit: 100,
  });
  for await (const items of pages) yield items.map((item) => EndedKey.parse(item));
}
