import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';

/**
 * Writes an item that does not exist yet. The condition keeps a try that was given up, and arrives late, from undoing
 * what happened to the item since.
 */
export async function createItem(table: Table, Item: Readonly<Record<string, unknown>>): Promise<void> {
  const ConditionExpression = 'attribute_not_exists(pk)';
  await table.client.send(new PutCommand({ TableName: table.name, Item, ConditionExpression }));
}
