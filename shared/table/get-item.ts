import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { PrimaryKey } from './primary-key.ts';

/** The part of a table needed to read items. */
export interface ReadableTable {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
}

/**
 * The item parsed by `read`; null without one.
 *
 * @param attributes names to read; default: all
 * @param consistently whether recent writes must be visible, at twice the cost
 */
export async function getItem<Read>(
  { client, name }: ReadableTable,
  { pk, sk }: PrimaryKey,
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
