import { firstIdAt } from '#shared/domain/identifiers.ts';
import type { Table } from './client.ts';
import { deleteItem, deletePartition } from './delete-items.ts';
import { indexNames, projectPartitions } from './indexes.ts';
import { PrimaryKey } from './primary-key.ts';
import { queryPages, queryPrefix } from './query-pages.ts';

/**
 * The IDs of all tasks or patients of a project, a page at a time. Eventually consistent.
 *
 * @param createdBefore excludes newer ones
 */
export async function* projectItemIds(
  table: Table,
  projectId: string,
  type: 'TASK' | 'PATIENT',
  createdBefore?: Date,
): AsyncGenerator<string[]> {
  // Sorts after every ID, which is hexadecimal.
  const end = createdBefore === undefined ? 'g' : firstIdAt(createdBefore);
  for (const partition of projectPartitions(projectId, type)) {
    const pages = queryPages(table, {
      IndexName: indexNames.rows,
      KeyConditionExpression: 'project_pk = :pk AND project_sk < :end',
      ExpressionAttributeValues: { ':pk': partition, ':end': end },
      ProjectionExpression: 'project_sk',
    });
    for await (const page of pages) yield page.map(({ project_sk }) => String(project_sk));
  }
}

/** Ends the access of all people: deletes the project's members and invitations. */
export async function deleteProjectAccess(table: Table, projectId: string): Promise<void> {
  for (const prefix of ['MEMBER#', 'INVITATION#']) {
    const items = await queryPrefix(table, `PROJECT#${projectId}`, prefix, {
      ProjectionExpression: 'pk, sk',
    });
    for (const item of items) await deleteItem(table, PrimaryKey.parse(item));
  }
}

/** Deletes the project's item, and its webhook endpoints and other items in its partition. */
export async function deleteProjectPartition(table: Table, projectId: string): Promise<void> {
  await deletePartition(table, `PROJECT#${projectId}`);
}
