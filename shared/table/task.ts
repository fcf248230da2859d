import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Call } from '#shared/domain/call.ts';
import { Task } from '#shared/domain/task.ts';
import { callFromItem } from './call.ts';
import type { Table } from './client.ts';
import { dueIndexAttributes, projectIndexAttributes } from './indexes.ts';
import { taskKey, taskPartition } from './task-key.ts';
import type { TransactionItem } from './transaction.ts';

function taskItem(task: Task): Record<string, unknown> {
  return {
    ...taskKey(task.id),
    type: 'task',
    ...projectIndexAttributes(task.project_id, 'TASK', task.id),
    ...dueIndexAttributes(task.id, task.next_attempt_at),
    ...task,
  };
}

export function createTaskItem(table: Table, task: Task): TransactionItem {
  return {
    Put: { TableName: table.name, Item: taskItem(task), ConditionExpression: 'attribute_not_exists(pk)' },
  };
}

/**
 * Replaces a task if it still is as `previous` was read: every change of a task touches its status, its current call,
 * its attempts or its due time, so these four stand for a version.
 */
export function replaceTaskItem(table: Table, previous: Task, next: Task): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: taskItem(next),
      ConditionExpression:
        '#status = :status AND attempts = :attempts AND current_call_id = :current_call_id AND next_attempt_at = :next_attempt_at',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':status': previous.status,
        ':attempts': previous.attempts,
        ':current_call_id': previous.current_call_id,
        ':next_attempt_at': previous.next_attempt_at,
      },
    },
  };
}

/** Strongly consistent: the caller decides by it whether to dial. */
export async function getTask(table: Table, taskId: string): Promise<Task | null> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: taskKey(taskId), ConsistentRead: true }),
  );
  return Item === undefined ? null : Task.parse(Item);
}

/** A task and some of its calls, newest first. */
export interface TaskWithCalls {
  readonly task: Task;
  readonly calls: Call[];
  readonly hasMoreCalls: boolean;
}

/**
 * The task and its newest calls in one query: `CALL#…` sorts before `TASK`, so reading the partition backwards meets
 * the task first and then the calls from the newest on. The limit bounds the cost whatever number of calls there is.
 *
 * @param olderThan only calls created before this call (the last one of the previous page)
 */
export async function getTaskWithCalls(
  table: Table,
  taskId: string,
  { limit, olderThan }: { limit: number; olderThan?: string | undefined },
): Promise<TaskWithCalls | null> {
  if (olderThan !== undefined) return getOlderCalls(table, taskId, limit, olderThan);
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': taskPartition(taskId) },
      ScanIndexForward: false,
      ConsistentRead: true,
      // The task, the calls asked for, and one more that tells whether there are others.
      Limit: limit + 2,
    }),
  );
  const [taskRow, ...callRows] = Items;
  if (taskRow === undefined) return null;
  return {
    task: Task.parse(taskRow),
    calls: callRows.slice(0, limit).map((row) => callFromItem(row)),
    hasMoreCalls: callRows.length > limit,
  };
}

async function getOlderCalls(
  table: Table,
  taskId: string,
  limit: number,
  olderThan: string,
): Promise<TaskWithCalls | null> {
  const task = await getTask(table, taskId);
  if (task === null) return null;
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :before',
      ExpressionAttributeValues: {
        ':pk': taskPartition(taskId),
        ':first': 'CALL#',
        ':before': `CALL#${olderThan}`,
      },
      ScanIndexForward: false,
      ConsistentRead: true,
      // BETWEEN includes the last call of the previous page itself.
      Limit: limit + 2,
    }),
  );
  const rows = Items.filter((item) => item.sk !== `CALL#${olderThan}`);
  return {
    task,
    calls: rows.slice(0, limit).map((row) => callFromItem(row)),
    hasMoreCalls: rows.length > limit,
  };
}
