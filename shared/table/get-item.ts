import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/** A table as far as items are read from it. */
export interface ReadableTable {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
}

/** What `read` makes of the item; null without one. Strongly consistent. */
export async function getItem<Read>(
  { client, name }: ReadableTable,
  { pk, sk }: { readonly pk: string; readonly sk: string },
  read: (item: Record<string, unknown>) => Read,
): Promise<Read | null> {
  const { Item } = await client.send(
    new GetCommand({ TableName: name, Key: { pk, sk }, ConsistentRead: true }),
  );
  return Item === undefined ? null : read(Item);
}
