import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';

/** Writes an item, new or not. */
export async function putItem(table: Table, Item: Readonly<Record<string, unknown>>): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
}

/** Writes a new item. The condition keeps a delayed earlier try from undoing later changes. */
export async function createItem(table: Table, Item: Readonly<Record<string, unknown>>): Promise<void> {
  const ConditionExpression = 'attribute_not_exists(pk)';
  await table.client.send(new PutCommand({ TableName: table.name, Item, ConditionExpression }));
}
