import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/** A table as far as items are read from it. */
export interface ReadableTable {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
}

/**
 * What `read` makes of the item; null without one.
 *
 * @param attributes names of those to read; all unless given
 * @param consistently whether what was written a moment ago must be seen, which costs twice as much
 */
export async function getItem<Read>(
  { client, name }: ReadableTable,
  { pk, sk }: { readonly pk: string; readonly sk: string },
  read: (item: Record<string, unknown>) => Read,
  { attributes, consistently = true }: { attributes?: readonly string[]; consistently?: boolean } = {},
): Promise<Read | null> {
  const { Item } = await client.send(
    new GetCommand({
      TableName: name,
      Key: { pk, sk },
      ConsistentRead: consistently,
      ...(attributes === undefined ? {} : { ProjectionExpression: attributes.join(', ') }),
    }),
  );
  return Item === undefined ? null : read(Item);
}
