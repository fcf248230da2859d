import { firstIdAt } from '#shared/domain/identifiers.ts';
import { callItemPages } from './call.ts';
import type { Table } from './client.ts';
import { indexNames, projectPartitions } from './indexes.ts';
import { queryPages } from './query-pages.ts';
import { wholeItems } from './whole-items.ts';

/**
 * The tasks of a project created at `sinceMs` or later, and their calls, including ones in progress, as stored, a page
 * at a time.
 */
export async function* createdSince(
  table: Table,
  projectId: string,
  sinceMs: number,
): AsyncGenerator<Record<string, unknown>[]> {
  const first = firstIdAt(new Date(sinceMs));
  for (const partition of projectPartitions(projectId, 'TASK')) {
    const pages = queryPages(table, {
      IndexName: indexNames.rows,
      KeyConditionExpression: 'project_pk = :partition AND project_sk >= :first',
      ExpressionAttributeValues: { ':partition': partition, ':first': first },
      ProjectionExpression: 'pk, sk',
    });
    for await (const rows of pages) {
      const tasks = await wholeItems(table, rows);
      yield tasks;
      for (const { id } of tasks) yield* callItemPages(table, String(id));
    }
  }
}
