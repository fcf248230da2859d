import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';

/** At most so many items are read in one request. */
const batchSize = 100;
const requestsAtOnce = 10;

/** Some attributes of many items, in any order; those that there are not are left out. Eventually consistent. */
export async function batchGet(
  table: Table,
  keys: readonly { readonly pk: string; readonly sk: string }[],
  attributes: readonly string[],
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const stride = batchSize * requestsAtOnce;
  for (let start = 0; start < keys.length; start += stride) {
    const batches = Array.from({ length: requestsAtOnce }, (_, position) =>
      keys.slice(start + position * batchSize, Math.min(start + (position + 1) * batchSize, keys.length)),
    );
    const answers = await Promise.all(batches.map((batch) => readBatch(table, batch, attributes)));
    found.push(...answers.flat());
  }
  return found;
}

async function readBatch(
  table: Table,
  keys: readonly Record<string, unknown>[],
  attributes: readonly string[],
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let left = [...keys];
  // What an answer has no room for is asked for again.
  while (left.length > 0) {
    const { Responses = {}, UnprocessedKeys = {} } = await table.client.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: left, ProjectionExpression: attributes.join(', ') } },
      }),
    );
    found.push(...(Responses[table.name] ?? []));
    left = UnprocessedKeys[table.name]?.Keys ?? [];
  }
  return found;
}
