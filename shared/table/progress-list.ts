import * as z from 'zod/mini';
import { Call } from '#shared/domain/call.ts';
import { CallResult } from '#shared/domain/call-result.ts';
import { Task } from '#shared/domain/task.ts';
import { CallListed } from './call.ts';
import type { Table } from './client.ts';
import { indexNames, projectPartitions } from './indexes.ts';
import { type IndexedItems, type Page, type PageRequest, readNewestFirst } from './newest-first.ts';
import { taskIdOfKey } from './task-key.ts';

/** A task's outcome, without patient or content. */
export const TaskFigures = z.extend(
  z.pick(Task, { id: true, status: true, task_type: true, created_at: true, updated_at: true }),
  {
    /** Only with numbers. */
    phone_number: z.optional(Task.shape.phone_number),
    /** Null before the first conversation. */
    result: z._default(z.nullable(z.pick(CallResult, { goal_reached: true, ending: true })), null),
  },
);
export type TaskFigures = z.infer<typeof TaskFigures>;

/** The same, with what the task waits for and needs from a person. */
export const TaskProgress = z.extend(TaskFigures, {
  current_call_id: Task.shape.current_call_id,
  waiting_for_line_since: Task.shape.waiting_for_line_since,
  needs_review: z._default(z.boolean(), false),
  needs_follow_up: z._default(z.boolean(), false),
});
export type TaskProgress = z.infer<typeof TaskProgress>;

/** A call's outcome, without patient or content. */
export const CallProgress = z.extend(z.pick(Call, { id: true, status: true, created_at: true }), {
  ...CallListed.shape,
  task_id: Call.shape.task_id,
  phone_number: z.optional(Call.shape.phone_number),
});
export type CallProgress = z.infer<typeof CallProgress>;

/** Whether to read the numbers called. */
export type Numbers = 'with-numbers' | 'without-numbers';

/** Outcomes of a project's tasks, newest first. Eventually consistent. */
export function listTaskFigures(
  table: Table,
  projectId: string,
  page: PageRequest,
  numbers: Numbers,
): Promise<Page<TaskFigures>> {
  return readTasks(table, projectId, page, TaskFigures, numbers);
}

/** Progress of a project's tasks, newest first. Eventually consistent. */
export function listTaskProgress(
  table: Table,
  projectId: string,
  page: PageRequest,
): Promise<Page<TaskProgress>> {
  return readTasks(table, projectId, page, TaskProgress, 'without-numbers');
}

/** Reads only the schema's attributes: each costs time, a thousand times. */
function readTasks<Schema extends typeof TaskFigures>(
  table: Table,
  projectId: string,
  page: PageRequest,
  schema: Schema,
  numbers: Numbers,
): Promise<Page<z.output<Schema>>> {
  const attributes = Object.keys(schema.shape).filter(
    (name) => name !== 'id' && name !== 'result' && (name !== 'phone_number' || numbers === 'with-numbers'),
  );
  const source = rowsOf(projectId, 'TASK', [
    ...attributes,
    // As a whole: a path costs the table as much time as four attributes.
    'listed.result',
  ]);
  return readNewestFirst(table, source, page, (item) =>
    schema.parse({ ...item, id: item[idAttribute], result: listedOf(item).result }),
  );
}

/** Outcomes of a project's calls, newest first, of all tasks. Eventually consistent. */
export function listCallProgress(
  table: Table,
  projectId: string,
  page: PageRequest,
  numbers: Numbers,
): Promise<Page<CallProgress>> {
  const number = numbers === 'with-numbers' ? ['phone_number'] : [];
  const source = rowsOf(projectId, 'CALL', ['pk', 'status', 'created_at', 'listed', ...number]);
  return readNewestFirst(table, source, page, (item) =>
    CallProgress.parse({
      ...unknownOfCall,
      ...item,
      id: item[idAttribute],
      task_id: taskIdOfKey(z.parse(CallKey, item)),
      ...listedOf(item),
    }),
  );
}

/** Sorts the index, so it is read anyway. */
const idAttribute = 'project_sk';

const CallKey = z.object({ pk: z.string() });

/** Unchecked, because the whole's schema checks it: twice would be noticeable for thousands of items. */
function listedOf({ listed }: Record<string, unknown>): { readonly [member: string]: unknown } {
  return typeof listed === 'object' && listed !== null ? { ...listed } : {};
}

/** For a call older than the index's excerpt. */
const unknownOfCall: z.infer<typeof CallListed> = {
  submission: 'submitted',
  carrier_progress: 'queued',
  session_status: null,
  answered_by: null,
  talk_seconds: null,
};

function rowsOf(projectId: string, type: 'TASK' | 'CALL', attributes: readonly string[]): IndexedItems {
  return {
    index: indexNames.rows,
    partitionKey: 'project_pk',
    sortKey: idAttribute,
    partitions: projectPartitions(projectId, type),
    attributes,
    isPlain: true,
  };
}
