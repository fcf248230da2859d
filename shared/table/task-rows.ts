import * as z from 'zod/mini';
import { Task, type TaskStatus } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { Table } from './client.ts';
import { indexNames, projectPartitions, workPartition } from './indexes.ts';
import {
  countItems,
  type IndexedItems,
  type Page,
  type PageRequest,
  readNewestFirst,
} from './newest-first.ts';
import { needsOf, TaskNeeds } from './task.ts';

/** A task as somebody works through many of them: what it needs next, without its data, answers and disclosures. */
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

/** The row of a task that was read by itself. */
export function toTaskRow(task: Task): TaskRow {
  return TaskRow.parse({ ...task, ...needsOf(task) });
}

/** What finished tasks may still need of a person. */
export const Need = z.enum(['review', 'follow-up']);
export type Need = z.infer<typeof Need>;

/** Which tasks of a project; null takes all. */
export interface RowFilter {
  readonly status: TaskStatus | null;
  readonly taskType: TaskType | null;
  readonly needs: Need | null;
  /** E.164 */
  readonly phoneNumber: string | null;
  /** E-mail address of who follows up on the open ones. */
  readonly assignee: string | null;
}

const everyTask: RowFilter = { status: null, taskType: null, needs: null, phoneNumber: null, assignee: null };

/** Tasks of a project, newest first unless the page asks for the oldest. Eventually consistent. */
export function listTaskRows(
  table: Table,
  projectId: string,
  filter: RowFilter,
  page: PageRequest,
): Promise<Page<TaskRow>> {
  return readNewestFirst(table, rowsOf(projectId, filter), page, (item) => TaskRow.parse(item));
}

const TaskReference = z.pipe(
  z.object({
    id: z.string(),
    listed: z.optional(
      z.object({
        result: z.optional(z.nullable(z.object({ reference_number: z.optional(z.nullable(z.string())) }))),
      }),
    ),
  }),
  z.transform(({ id, listed }) => ({ id, reference_number: listed?.result?.reference_number ?? null })),
);
type TaskReference = z.infer<typeof TaskReference>;

/** Nothing of each task but its confirmation number, newest first. Eventually consistent. */
export function listTaskReferences(
  table: Table,
  projectId: string,
  page: PageRequest,
): Promise<Page<TaskReference>> {
  const source = { ...rowsOf(projectId, everyTask), attributes: ['id', 'listed'] };
  return readNewestFirst(table, source, page, (item) => TaskReference.parse(item));
}

/**
 * How many tasks a filter finds, as far as one request to each partition tells.
 *
 * @param between identifiers that the tasks' ones lie between, both left out
 */
export function countTaskRows(
  table: Table,
  projectId: string,
  filter: RowFilter,
  between: { readonly above: string | null; readonly below: string | null },
): Promise<{ readonly count: number; readonly isAll: boolean }> {
  return countItems(table, rowsOf(projectId, filter), between);
}

function rowsOf(
  projectId: string,
  { status, taskType, needs, phoneNumber, assignee }: RowFilter,
): IndexedItems {
  // Filtering by assignee is about open tasks only.
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
      ...(assignee === null ? [] : [{ attribute: 'follow_up_assignee', value: assignee }]),
      ...(phoneNumber === null ? [] : [{ attribute: 'phone_number', value: phoneNumber }]),
    ],
  };
}
