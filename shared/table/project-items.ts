import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Table } from './client.ts';
import { deleteItem, deletePartition } from './delete-items.ts';
import { indexNames, projectPartitions } from './indexes.ts';
import { prefixQuery, queryPages } from './query-pages.ts';

/**
 * The identifiers of all tasks or patients of a project, a page at a time. Eventually consistent.
 *
 * @param createdBefore leaves out what is younger
 */
export async function* projectItemIds(
  table: Table,
  projectId: string,
  type: 'TASK' | 'PATIENT',
  createdBefore?: Date,
): AsyncGenerator<string[]> {
  // Sorts behind every identifier, which is written in hexadecimal digits.
  const end = createdBefore === undefined ? 'g' : uuidv7(createdBefore.getTime(), new Uint8Array(10));
  for (const partition of projectPartitions(projectId, type)) {
    const pages = queryPages(table, {
      IndexName: indexNames.project,
      KeyConditionExpression: 'project_pk = :pk AND project_sk < :end',
      ExpressionAttributeValues: { ':pk': partition, ':end': end },
      ProjectionExpression: 'project_sk',
    });
    for await (const page of pages) yield page.map(({ project_sk }) => String(project_sk));
  }
}

/** Deletes the API keys of a project, which then let nobody in any more. */
export async function deleteProjectKeys(table: Table, projectId: string): Promise<void> {
  const pages = queryPages(table, prefixQuery(`PROJECT#${projectId}`, 'APIKEY#'));
  for await (const page of pages) {
    for (const { key_hash } of page) await deleteItem(table, { pk: `APIKEY#${key_hash}`, sk: 'APIKEY' });
  }
}

/**
 * Deletes the project's own item, and its members, webhook endpoints and the other items in its partition.
 */
export async function deleteProjectPartition(table: Table, projectId: string): Promise<void> {
  await deletePartition(table, `PROJECT#${projectId}`);
}

/** Deletes what lies under an endpoint: its deliveries and its concurrency slots. */
export async function deleteEndpointPartition(table: Table, webhookId: string): Promise<void> {
  await deletePartition(table, `WEBHOOK#${webhookId}`);
}
