import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Call } from '#shared/domain/call.ts';
import type { FollowUp } from '#shared/domain/follow-up.ts';
import { isTerminalTaskStatus, Task } from '#shared/domain/task.ts';
import { batchGet } from './batch-get.ts';
import { callsFromItems } from './call.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import {
  dueIndexAttributes,
  endedIndexAttributes,
  indexNames,
  patientIndexAttributes,
  patientPartition,
  projectIndexAttributes,
  type WaitQueue,
  waitQueueAttributes,
  waitQueuePartition,
  workIndexAttributes,
} from './indexes.ts';
import { withoutNulls } from './null-members.ts';
import { PrimaryKey } from './primary-key.ts';
import { callKey, recordingKey, taskIdOfKey, taskKey, taskPartition } from './task-key.ts';
import { needsOf, type TaskNeeds } from './task-needs.ts';
import { sealClientData, sealEach, sealListed, sealTogether } from './to-seal.ts';
import type { TransactionItem } from './transaction.ts';
import { type Condition, isNew, itemDelete, itemPut, itemUpdate, when } from './transaction-items.ts';

/** A task's sealed members. The rest are states, identifiers, times, and the number to call. */
export const taskDetails = [
  'task_data',
  'result',
  'follow_up_work',
] as const satisfies readonly (keyof Task)[];
/** Sealed separately, because lists have them. */
const sealedEach = ['task', 'task_outcome', 'next_attempt_reason'] as const satisfies readonly (keyof Task)[];

/** Null or false for most tasks, and not stored then: lists read thousands of rows. */
const rarelySet = [
  'waiting_for_line_since',
  'next_attempt_reason',
  'needs_review',
  'needs_follow_up',
] as const satisfies readonly (keyof Task | keyof TaskNeeds)[];

/** A task as stored, with the attributes of its indexes and lists. */
export function taskItem(task: Task): Record<string, unknown> {
  const needs = needsOf(task);
  const { project_id, follow_up_work } = task;
  const isOver = isTerminalTaskStatus(task.status);
  const item = {
    ...taskKey(task.id),
    type: 'task',
    ...projectIndexAttributes(task.project_id, 'TASK', task.id),
    ...patientIndexAttributes(task),
    ...(isOver
      ? endedIndexAttributes(task.id, task.updated_at)
      : dueIndexAttributes(task.id, task.next_attempt_at)),
    ...needs,
    ...(needs.needs_review || needs.needs_follow_up ? workIndexAttributes(task.project_id) : {}),
    ...task,
    ...(follow_up_work === undefined ? {} : { follow_up_version: follow_up_work.version }),
  };
  // Lists filter by outcome, and the overview counts thousands of tasks.
  const { goal_reached, ending, obstacle } = needs.listed.result ?? {};
  const progress =
    needs.listed.result === null ? {} : { result: withoutNulls({ goal_reached, ending, obstacle }) };
  const stored: Record<string, unknown> = {
    ...sealTogether(project_id, item, taskDetails),
    ...sealEach(project_id, item, sealedEach),
    ...sealClientData(project_id, task),
    listed: sealListed(project_id, needs.listed, progress),
  };
  for (const name of rarelySet) if (stored[name] === null || stored[name] === false) delete stored[name];
  return stored;
}

/** Replaces the follow-up of a finished task that is unchanged since `previous` was read. */
export function replaceFollowUpItem(table: Table, previous: Task, next: FollowUp): TransactionItem {
  return replaceEndedTaskItem(table, previous, { ...previous, follow_up_work: next });
}

/** Replaces a finished task that is unchanged since `previous` was read. */
export function replaceEndedTaskItem(table: Table, previous: Task, next: Task): TransactionItem {
  return itemPut(table, taskItem(next), overAsRead(previous));
}

/**
 * Requires that a finished task is unchanged since it was read: only its follow-up and patient still change, and the
 * result of a canceled one when its current call ends.
 */
export function overAsRead(read: Task): Condition {
  const { status, updated_at, patient_id, current_call_id, follow_up_work } = read;
  const version = follow_up_work?.version ?? null;
  const isAsRead =
    '#status = :status AND updated_at = :updated_at AND patient_id = :patient_id ' +
    'AND current_call_id = :current_call_id';
  // Earlier versions stored the version in the follow-up alone.
  const isVersion =
    version === null
      ? 'attribute_not_exists(follow_up_version) AND attribute_not_exists(follow_up_work)'
      : '(follow_up_version = :version OR follow_up_work.version = :version)';
  return when(`${isAsRead} AND ${isVersion}`, {
    status,
    updated_at,
    patient_id,
    current_call_id,
    ...(version === null ? {} : { version }),
  });
}

export function createTaskItem(table: Table, task: Task): TransactionItem {
  return itemPut(table, taskItem(task), isNew);
}

/**
 * Replaces a task that is unchanged since `previous` was read: every change of a task affects its status, current
 * call, attempts or due time, so these four identify a version.
 */
export function replaceTaskItem(table: Table, previous: Task, next: Task): TransactionItem {
  return replacementItem(table, previous, taskItem(next));
}

/** Like `replaceTaskItem`, for a task that waits for a slot: it stays in the wait queue until replaced otherwise. */
export function enqueueTaskItem(
  table: Table,
  previous: Task,
  next: Task & { readonly waiting_for_line_since: string },
  waitQueue: WaitQueue,
): TransactionItem {
  return replacementItem(table, previous, {
    ...taskItem(next),
    ...waitQueueAttributes(waitQueue, next.waiting_for_line_since, next.id),
  });
}

function replacementItem(table: Table, previous: Task, item: Record<string, unknown>): TransactionItem {
  return itemPut(
    table,
    item,
    when(
      '#status = :status AND attempts = :attempts ' +
        'AND current_call_id = :current_call_id AND next_attempt_at = :next_attempt_at',
      {
        status: previous.status,
        attempts: previous.attempts,
        current_call_id: previous.current_call_id,
        next_attempt_at: previous.next_attempt_at,
      },
    ),
  );
}

const taskIsOver = when('#status IN (:completed, :failed, :cancelled)', {
  completed: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
});

/** Requires that the task is finished. */
export function deleteTaskItem(table: Table, taskId: string): TransactionItem {
  return itemDelete(table, taskKey(taskId), taskIsOver);
}

/** Moves a finished task to another patient of the project. Requires that it belongs to the first one. */
export function moveTaskItem(
  table: Table,
  taskId: string,
  { projectId, from, to }: { readonly projectId: string; readonly from: string; readonly to: string },
): TransactionItem {
  return itemUpdate(table, taskKey(taskId), {
    change: 'SET patient_id = :to, patient_pk = :patient_pk',
    condition: `patient_id = :from AND ${taskIsOver.expression}`,
    values: { ...taskIsOver.values, from, to, patient_pk: patientPartition(projectId, to) },
  });
}

/** Strongly consistent: the caller decides by it whether to dial. */
export async function getTask(table: Table, taskId: string): Promise<Task | null> {
  return getItem(table, taskKey(taskId), Task.parse);
}

/** Summaries of the existing tasks among these, by identifier. Strongly consistent. */
export async function findTasks(table: Table, taskIds: readonly string[]): Promise<Map<string, FoundTask>> {
  const attributes = Object.keys(FoundTask.shape);
  const keys = [...new Set(taskIds)].map(taskKey);
  const items = await batchGet(table, keys, { attributes, consistently: true });
  return new Map(items.map((item) => FoundTask.parse(item)).map((task) => [task.id, task]));
}

const FoundTask = z.pick(Task, { id: true, patient_id: true, status: true, task_type: true });
export type FoundTask = z.infer<typeof FoundTask>;

/** The tasks that have waited in the wait queue for longest, by identifier. Eventually consistent. */
export async function findQueuedTasks(table: Table, waitQueue: WaitQueue, limit: number): Promise<string[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: indexNames.waitQueue,
      KeyConditionExpression: 'lane_pk = :lane_pk',
      ExpressionAttributeValues: { ':lane_pk': waitQueuePartition(waitQueue) },
      Limit: limit,
    }),
  );
  return Items.map((item) => taskIdOfKey(PrimaryKey.parse(item)));
}

/** A task and some of its calls, newest first. */
export interface TaskWithCalls {
  readonly task: Task;
  readonly calls: Call[];
  readonly hasMoreCalls: boolean;
}

/** Where a page of calls begins: at this call or, if `isIncluded` is false, at the one created before it. */
export interface CallsFrom {
  readonly callId: string;
  readonly isIncluded: boolean;
}

/**
 * The task and its newest calls in one query: `CALL#…` sorts before `TASK`, so reading the partition backwards yields
 * the task first and then the calls from the newest on, each after its recording. The limit bounds the cost for any
 * number of calls. A page may have fewer calls than requested, because a query ends at 1 MB.
 *
 * @param from where a later page begins; such a page takes two requests
 */
export async function getTaskWithCalls(
  table: Table,
  taskId: string,
  { limit, from }: { limit: number; from?: CallsFrom | undefined },
): Promise<TaskWithCalls | null> {
  if (from !== undefined) return getOlderCalls(table, taskId, limit, from);
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': taskPartition(taskId) },
      ScanIndexForward: false,
      ConsistentRead: true,
      // The task, the calls asked for, and one more that shows whether there are others.
      Limit: 1 + rowsOf(limit + 1),
    }),
  );
  const [taskRow, ...callRows] = Items;
  if (taskRow === undefined) return null;
  return { task: Task.parse(taskRow), ...toPage(callRows, limit, LastEvaluatedKey) };
}

async function getOlderCalls(
  table: Table,
  taskId: string,
  limit: number,
  { callId, isIncluded }: CallsFrom,
): Promise<TaskWithCalls | null> {
  const { pk, sk } = isIncluded ? recordingKey(taskId, callId) : callKey(taskId, callId);
  const [task, { Items = [], LastEvaluatedKey }] = await Promise.all([
    getTask(table, taskId),
    table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :first',
        ExpressionAttributeValues: { ':pk': pk, ':oldest': 'CALL#', ':first': sk },
        ScanIndexForward: false,
        ConsistentRead: true,
        // BETWEEN includes the call that the previous page ended with.
        Limit: rowsOf(limit + 2),
      }),
    ),
  ]);
  if (task === null) return null;
  const callRows = isIncluded ? Items : Items.filter((item) => item.sk !== sk);
  return { task, ...toPage(callRows, limit, LastEvaluatedKey) };
}

/** The maximum number of items of calls: each may have a recording, which sorts after it. */
function rowsOf(calls: number): number {
  return 2 * calls;
}

function toPage(
  callRows: Record<string, unknown>[],
  limit: number,
  lastEvaluatedKey: object | undefined,
): Pick<TaskWithCalls, 'calls' | 'hasMoreCalls'> {
  const calls = callsFromItems(callRows);
  return {
    calls: calls.slice(0, limit),
    // One more than requested was read, unless the query ended early at 1 MB and returned a continuation key.
    hasMoreCalls: calls.length > limit || lastEvaluatedKey !== undefined,
  };
}
