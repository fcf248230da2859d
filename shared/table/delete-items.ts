import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';
import { PrimaryKey } from './primary-key.ts';
import { queryPages } from './query-pages.ts';

const deletionsAtOnce = 20;

/** Deletes an item unconditionally. Succeeds when it is already gone. */
export async function deleteItem(table: Table, { pk, sk }: PrimaryKey): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
}

/** Deletes all items now in a partition. Idempotent. */
export async function deletePartition(table: Table, pk: string): Promise<void> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ProjectionExpression: 'pk, sk',
    ConsistentRead: true,
  });
  for await (const page of pages) {
    const keys = page.map((item) => PrimaryKey.parse(item));
    for (let start = 0; start < keys.length; start += deletionsAtOnce) {
      await Promise.all(keys.slice(start, start + deletionsAtOnce).map((key) => deleteItem(table, key)));
    }
  }
}
