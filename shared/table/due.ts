import * as z from 'zod/mini';
import type { Table } from './client.ts';
import { duePartition, dueShardCount, indexNames } from './indexes.ts';
import { PrimaryKey } from './primary-key.ts';
import { queryPages } from './query-pages.ts';

const DueItem = z.extend(PrimaryKey, {
  type: z.enum([
    'task',
    'call',
    'recording',
    'conversation-watch',
    'webhook-delivery',
    'erasure',
    'retention',
    'patient-export',
    'import',
    'task-batch',
    'invitation',
    'alert',
  ]),
});
export type DueItem = z.infer<typeof DueItem>;

/**
 * All due items, oldest first within a shard, one page at a time so that a long backlog needs no more memory than a
 * short one.
 */
export async function* findDue(table: Table, now: string): AsyncGenerator<DueItem[]> {
  for (let shard = 0; shard < dueShardCount; shard += 1) {
    const pages = queryPages(table, {
      IndexName: indexNames.due,
      KeyConditionExpression: 'due_pk = :due_pk AND due_at <= :now',
      ExpressionAttributeValues: { ':due_pk': duePartition(shard), ':now': now },
      Limit: 100,
    });
    for await (const items of pages) yield items.map((item) => DueItem.parse(item));
  }
}
