import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#shared/table/client.ts';
import { unpack } from '#shared/table/packed.ts';

/** Every item of the table, with packed values unpacked, so that a text search misses nothing. */
export async function scanTable({ client, name }: Table): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: name, ConsistentRead: true })) {
    for (const item of Items) {
      items.push(Object.fromEntries(Object.entries(item).map(([key, value]) => [key, unpack(value)])));
    }
  }
  return items;
}
