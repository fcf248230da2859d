import * as z from 'zod/mini';
import { endingsWithoutPerson, type ObstacleReason } from '#shared/domain/call-result.ts';
import { Task, type TaskStatus } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import { batchGet } from './batch-get.ts';
import type { Table } from './client.ts';
import { indexNames, projectPartitions, workPartition } from './indexes.ts';
import {
  countItems,
  type IndexedItems,
  type ItemCondition,
  type Page,
  type PageRequest,
  readNewestFirst,
} from './newest-first.ts';
import { taskKey } from './task-key.ts';
import { needsOf, TaskNeeds } from './task-needs.ts';

/** A task in a work list: what it needs next, without its data, answers and disclosures. */
export const TaskRow = z.extend(
  z.pick(Task, {
    id: true,
    project_id: true,
    patient_id: true,
    status: true,
    task_type: true,
    task: true,
    phone_number: true,
    task_outcome: true,
    current_call_id: true,
    next_attempt_at: true,
    next_attempt_reason: true,
    waiting_for_line_since: true,
    created_at: true,
    updated_at: true,
  }),
  TaskNeeds.shape,
);
export type TaskRow = z.infer<typeof TaskRow>;

/** The row of a task read from the table. */
export function toTaskRow(task: Task): TaskRow {
  return TaskRow.parse({ ...task, ...needsOf(task) });
}

/** What finished tasks may still need from a person. */
export const Need = z.enum(['review', 'follow-up']);
export type Need = z.infer<typeof Need>;

/** How far tasks came, as the overview counts: each step includes the ones after it. */
export const ResultFilter = z.enum(['finished', 'person', 'goal']);
export type ResultFilter = z.infer<typeof ResultFilter>;

/** Filters of a project's tasks; null matches all. */
export interface RowFilter {
  readonly status: TaskStatus | null;
  readonly taskType: TaskType | null;
  readonly needs: Need | null;
  /** E.164 */
  readonly phoneNumber: string | null;
  /** Email address of the assignee of open follow-ups; empty for unassigned ones. */
  readonly assignee: string | null;
  /** The obstacle reported. */
  readonly obstacle: ObstacleReason | null;
  readonly result: ResultFilter | null;
}

/** Tasks of a project, newest first unless the page asks for the oldest. Eventually consistent. */
export function listTaskRows(
  table: Table,
  projectId: string,
  filter: RowFilter,
  page: PageRequest,
): Promise<Page<TaskRow>> {
  return readNewestFirst(table, rowsOf(projectId, filter), page, (item) => TaskRow.parse(item));
}

/** The parts of a row that change whenever the row does. */
export const TaskVersion = z.pick(TaskRow, { id: true, status: true, updated_at: true, listed: true });
export type TaskVersion = z.infer<typeof TaskVersion>;

/** Like `listTaskRows`, but reads, and opens, only what shows whether rows have changed. */
export function listTaskVersions(
  table: Table,
  projectId: string,
  filter: RowFilter,
  page: PageRequest,
): Promise<Page<TaskVersion>> {
  const attributes = Object.keys(TaskVersion.shape);
  const source = { ...rowsOf(projectId, filter), attributes };
  return readNewestFirst(table, source, page, (item) => TaskVersion.parse(item));
}

/** A task with its row's sort values. */
const TaskSortKey = z.object({ id: Task.shape.id, value: z.nullable(z.string()) });
export type TaskSortKey = z.infer<typeof TaskSortKey>;

/** The sort values of rows, none of which is ever sealed. */
type SortAttribute = 'patient_id' | 'status' | 'phone_number' | 'next_attempt_at';

/** Like `listTaskRows`, but reads only sort values. */
export function listTaskSortKeys(
  table: Table,
  projectId: string,
  filter: RowFilter,
  page: PageRequest,
  attribute: SortAttribute,
): Promise<Page<TaskSortKey>> {
  const source = { ...rowsOf(projectId, filter), attributes: [attribute], isPlain: true };
  return readNewestFirst(table, source, page, (item) =>
    TaskSortKey.parse({ id: item[source.sortKey], value: item[attribute] ?? null }),
  );
}

/** The rows of some tasks, in the given order, without missing ones. Eventually consistent. */
export async function findTaskRows(table: Table, taskIds: readonly string[]): Promise<TaskRow[]> {
  const attributes = Object.keys(TaskRow.shape);
  const items = await batchGet(table, taskIds.map(taskKey), { attributes, consistently: false });
  const rows = new Map(items.map((item) => TaskRow.parse(item)).map((row) => [row.id, row]));
  return taskIds.flatMap((id) => rows.get(id) ?? []);
}

/**
 * How many tasks match a filter, as far as one request per partition counts.
 *
 * @param between exclusive bounds of the tasks' IDs
 */
export function countTaskRows(
  table: Table,
  projectId: string,
  filter: RowFilter,
  between: { readonly above: string | null; readonly below: string | null },
): Promise<{ readonly count: number; readonly isAll: boolean }> {
  return countItems(table, rowsOf(projectId, filter), between);
}

const finished = (['PENDING', 'IN_PROGRESS', 'CANCELLED'] as const).map(
  (value) => ({ attribute: 'status', comparison: 'unequal', value }) as const,
);
const spoken: readonly ItemCondition[] = [
  ...finished,
  { attribute: 'listed.result.goal_reached', comparison: 'exists', value: true },
  ...endingsWithoutPerson.map(
    (value) => ({ attribute: 'listed.result.ending', comparison: 'unequal', value }) as const,
  ),
];
const resultConditions: Readonly<Record<ResultFilter, readonly ItemCondition[]>> = {
  finished,
  person: spoken,
  goal: [...spoken, { attribute: 'listed.result.goal_reached', value: true }],
};

function isAssignedTo(assignee: string): ItemCondition {
  return {
    attribute: 'follow_up_assignee',
    comparison: assignee === '' ? 'missing' : 'equal',
    value: assignee,
  };
}

function rowsOf(
  projectId: string,
  { status, taskType, needs, phoneNumber, assignee, obstacle, result }: RowFilter,
): IndexedItems {
  // Filtering by assignee covers only open tasks.
  const isWork = needs !== null || assignee !== null;
  return {
    ...(isWork
      ? { index: indexNames.work, partitionKey: 'work_pk', partitions: [workPartition(projectId)] }
      : {
          index: indexNames.rows,
          partitionKey: 'project_pk',
          partitions: projectPartitions(projectId, 'TASK'),
        }),
    isSlim: true,
    sortKey: 'project_sk',
    only: [
      ...(status === null ? [] : [{ attribute: 'status', value: status }]),
      ...(taskType === null ? [] : [{ attribute: 'task_type', value: taskType }]),
      ...(needs === 'review' ? [{ attribute: 'needs_review', value: true }] : []),
      ...(needs === 'follow-up' ? [{ attribute: 'needs_follow_up', value: true }] : []),
      ...(assignee === null ? [] : [isAssignedTo(assignee)]),
      ...(phoneNumber === null ? [] : [{ attribute: 'phone_number', value: phoneNumber }]),
      ...(obstacle === null ? [] : [{ attribute: 'listed.result.obstacle.reason', value: obstacle }]),
      ...(result === null ? [] : resultConditions[result]),
    ],
  };
}
