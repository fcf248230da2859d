import * as z from 'zod/mini';
import { CallResult, Obstacle } from '#shared/domain/call-result.ts';
import { FollowUp } from '#shared/domain/follow-up.ts';
import { Task, type TaskStatus } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { Table } from './client.ts';
import { indexNames, projectPartitions } from './indexes.ts';
import {
  countItems,
  type IndexedItems,
  type Page,
  type PageRequest,
  readNewestFirst,
} from './newest-first.ts';

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
  {
    needs_review: z._default(z.boolean(), false),
    needs_follow_up: z._default(z.boolean(), false),
    follow_up_work: z._default(
      z.nullable(z.pick(FollowUp, { version: true, assignee: true, due: true, done_at: true })),
      null,
    ),
    result: z._default(
      z.nullable(
        z.object({
          follow_up: z._default(CallResult.shape.follow_up, null),
          reference_number: z._default(CallResult.shape.reference_number, null),
          obstacle: z._default(z.nullable(z.pick(Obstacle, { reason: true })), null),
        }),
      ),
      null,
    ),
  },
);
export type TaskRow = z.infer<typeof TaskRow>;

const attributes = [
  ...Object.keys(TaskRow.shape).filter((name) => name !== 'result' && name !== 'follow_up_work'),
  'follow_up_work.version',
  'follow_up_work.assignee',
  'follow_up_work.due',
  'follow_up_work.done_at',
  'result.follow_up',
  'result.reference_number',
  'result.obstacle.reason',
];

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

/** Tasks of a project, newest first unless the page asks for the oldest. Eventually consistent. */
export function listTaskRows(
  table: Table,
  projectId: string,
  filter: RowFilter,
  page: PageRequest,
): Promise<Page<TaskRow>> {
  return readNewestFirst(table, { ...rowsOf(projectId, filter), attributes }, page, (item) =>
    TaskRow.parse(item),
  );
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
  return {
    index: indexNames.project,
    partitionKey: 'project_pk',
    sortKey: 'project_sk',
    partitions: projectPartitions(projectId, 'TASK'),
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
