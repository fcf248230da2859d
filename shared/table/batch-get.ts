import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';
import type { PrimaryKey } from './primary-key.ts';

/** DynamoDB's limit of items per request. */
const itemsAtOnce = 100;
const requestsAtOnce = 10;

interface Wanted {
  /** Default: all. */
  readonly attributes?: readonly string[];
  readonly consistently: boolean;
}

/** The items with these keys, which must differ, in any order; leaves out missing ones. */
export async function batchGet(
  table: Table,
  keys: readonly PrimaryKey[],
  wanted: Wanted,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const stride = itemsAtOnce * requestsAtOnce;
  for (let start = 0; start < keys.length; start += stride) {
    const block = keys.slice(start, start + stride);
    const groups = Array.from({ length: Math.ceil(block.length / itemsAtOnce) }, (_, position) =>
      getGroup(table, block.slice(position * itemsAtOnce, (position + 1) * itemsAtOnce), wanted),
    );
    found.push(...(await Promise.all(groups)).flat());
  }
  return found;
}

async function getGroup(
  { client, name }: Table,
  group: readonly PrimaryKey[],
  { attributes, consistently }: Wanted,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  // Placeholders, because some names are reserved words.
  const names = attributes?.map((attribute, position) => [`#a${position}`, attribute] as const);
  let keys: Record<string, unknown>[] = [...group];
  // Retries the keys that did not fit into the response.
  while (keys.length > 0) {
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(
      new BatchGetCommand({
        RequestItems: {
          [name]: {
            Keys: keys,
            ...(names === undefined
              ? {}
              : {
                  ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
                  ExpressionAttributeNames: Object.fromEntries(names),
                }),
            ConsistentRead: consistently,
          },
        },
      }),
    );
    found.push(...(Responses[name] ?? []));
    keys = UnprocessedKeys[name]?.Keys ?? [];
  }
  return found;
}
