import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';

/** What `read` makes of the item; null without one. Strongly consistent. */
export async function getItem<Read>(
  { client, name }: Pick<Table, 'client' | 'name'>,
  { pk, sk }: { readonly pk: string; readonly sk: string },
  read: (item: Record<string, unknown>) => Read,
): Promise<Read | null> {
  const { Item } = await client.send(
    new GetCommand({ TableName: name, Key: { pk, sk }, ConsistentRead: true }),
  );
  return Item === undefined ? null : read(Item);
}
