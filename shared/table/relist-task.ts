import { isDeepStrictEqual } from 'node:util';
import { isTerminalTaskStatus, Task } from '#shared/domain/task.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { indexNames, projectPartitions } from './indexes.ts';
import { queryPages } from './query-pages.ts';
import { overAsRead, taskItem } from './task.ts';
import { taskKey } from './task-key.ts';
import { asRead } from './to-seal.ts';
import { updateIf } from './transaction-items.ts';

/** What the indexes and lists have of a finished task. */
const listingAttributes = [
  'project_pk',
  'project_sk',
  'patient_pk',
  'patient_sk',
  'work_pk',
  'needs_review',
  'needs_follow_up',
  'follow_up_assignee',
  'listed',
] as const;

/**
 * The IDs of a project's finished tasks that an earlier version may have listed differently, a page at a time. The
 * index of rows does not show whether a task is listed as open work, so each that needs a person is checked.
 */
export async function* tasksToRelist(table: Table, projectId: string): AsyncGenerator<string[]> {
  for (const partition of projectPartitions(projectId, 'TASK')) {
    const pages = queryPages(table, {
      IndexName: indexNames.rows,
      KeyConditionExpression: 'project_pk = :partition',
      ProjectionExpression: 'id',
      FilterExpression:
        '#status IN (:completed, :failed, :cancelled) ' +
        'AND (attribute_not_exists(listed) OR needs_review = :yes OR needs_follow_up = :yes)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':partition': partition,
        ':completed': 'COMPLETED',
        ':failed': 'FAILED',
        ':cancelled': 'CANCELLED',
        ':yes': true,
      },
    });
    for await (const items of pages) yield items.map(({ id }) => String(id));
  }
}

/**
 * Lists a finished task as one that ends now, and changes nothing else. Returns whether it was listed differently.
 *
 * @param isDry checks without writing
 */
export async function relistTask(
  table: Table,
  taskId: string,
  { isDry }: { readonly isDry: boolean },
): Promise<boolean> {
  for (;;) {
    const item = await getItem(table, taskKey(taskId), (stored) => stored);
    if (item === null) return false;
    const task = Task.parse(item);
    const listing = taskItem(task);
    const stale = listingAttributes.filter(
      (name) => !isDeepStrictEqual(item[name] || undefined, asRead(listing[name])),
    );
    if (!isTerminalTaskStatus(task.status) || stale.length === 0) return false;
    if (isDry || (await writeListing(table, task, listing, stale))) return true;
  }
}

/** False when the task has changed since it was read. */
async function writeListing(
  table: Table,
  task: Task,
  listing: Readonly<Record<string, unknown>>,
  stale: readonly string[],
): Promise<boolean> {
  const [set, removed] = [
    stale.filter((name) => listing[name] !== undefined),
    stale.filter((name) => listing[name] === undefined),
  ];
  const { expression, values } = overAsRead(task);
  return updateIf(table, taskKey(task.id), {
    change: [
      ...(set.length === 0 ? [] : [`SET ${set.map((name) => `${name} = :${name}`).join(', ')}`]),
      ...(removed.length === 0 ? [] : [`REMOVE ${removed.join(', ')}`]),
    ].join(' '),
    condition: expression,
    values: { ...values, ...Object.fromEntries(set.map((name) => [name, listing[name]])) },
  });
}
