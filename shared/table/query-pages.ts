import { paginateQuery, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';

export type TableQuery = Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'>;

/** Results of a query, one page at a time, so that a long list needs no more memory than a short one. */
export async function* queryPages(
  { client, name }: Table,
  query: TableQuery,
): AsyncGenerator<Record<string, unknown>[]> {
  for await (const { Items = [] } of paginateQuery({ client }, { TableName: name, ...query })) yield Items;
}

/** All results of a query, for lists known to be short. */
export async function queryAll(table: Table, query: TableQuery): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const page of queryPages(table, query)) items.push(...page);
  return items;
}

/** The items of a partition by sort key prefix, in order. Strongly consistent, unless `more` differs. */
export function queryPrefix(
  table: Table,
  partition: string,
  prefix: string,
  more: Partial<TableQuery> = {},
): Promise<Record<string, unknown>[]> {
  return queryAll(table, prefixQuery(partition, prefix, more));
}

export function prefixQuery(partition: string, prefix: string, more: Partial<TableQuery> = {}): TableQuery {
  return {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': partition, ':prefix': prefix },
    ConsistentRead: true,
    ...more,
  };
}
