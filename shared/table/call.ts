import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Call } from '#shared/domain/call.ts';
import { Recording } from '#shared/domain/recording.ts';
import type { Table } from './client.ts';
import {
  dueIndexAttributes,
  endedIndexAttributes,
  endedWhileDueAttributes,
  indexNames,
  isListedAsEnded,
  projectIndexAttributes,
} from './indexes.ts';
import { nullsOf, withoutNulls } from './null-members.ts';
import { unpack } from './packed.ts';
import { queryAll } from './query-pages.ts';
import { taskPartition } from './task-key.ts';
import { sealEach, sealPacked } from './to-seal.ts';
import type { TransactionItem } from './transaction.ts';

export function callKey(taskId: string, callId: string): { pk: string; sk: string } {
  return { pk: taskPartition(taskId), sk: `CALL#${callId}` };
}

/** The call's identifier, from the sort key of its item. */
export function callIdOfKey(key: { sk: string }): string {
  return key.sk.slice('CALL#'.length);
}

/** What the index of rows tells of a call, as far as it is known. */
export const CallListed = z.pick(Call, {
  submission: true,
  carrier_progress: true,
  session_status: true,
  talk_seconds: true,
  hold_seconds: true,
});

/** A call as it is stored. While it is made it stays below a kilobyte, by which each of its many writes is billed. */
export function callItem(call: Call): Record<string, unknown> {
  const { id, outlived_task, ...members } = call;
  return withoutNulls({
    ...callKey(call.task_id, id),
    type: 'call',
    // A separate attribute: turns and connections have a `call_id` too, and must not be found as calls.
    call_pk: id,
    ...projectIndexAttributes(call.project_id, 'CALL', id),
    ...members,
    outlived_task: outlived_task || null,
    recording: withoutNulls(call.recording),
    ...sealEach(call.project_id, call, ['call_outcome', 'reason']),
    result: call.result === null ? null : sealPacked(call.project_id, 'result', call.result),
    listed: withoutNulls(CallListed.parse(call)),
    ...(call.completed_at !== null && call.due_at === null
      ? endedIndexAttributes(id, call.updated_at)
      : dueIndexAttributes(id, call.due_at)),
    ...(call.completed_at !== null && call.due_at !== null
      ? endedWhileDueAttributes(id, call.completed_at)
      : {}),
  });
}

const absent = nullsOf(Call);
const absentFromRecording = nullsOf(Recording);

/** A call from its item, in which a member that is not there means null. */
export function callFromItem(item: Readonly<Record<string, unknown>>): Call {
  return Call.parse({
    ...absent,
    id: item.call_pk,
    ...item,
    ...(isListedAsEnded(item) ? { due_at: null } : {}),
    recording: recordingFromItem(item),
    result: unpack(item.result ?? null),
  });
}

function recordingFromItem({ recording }: Readonly<Record<string, unknown>>): Recording {
  return Recording.parse({ ...absentFromRecording, ...z.parse(z.looseObject({}), recording) });
}

export function createCallItem(table: Table, call: Call): TransactionItem {
  return {
    Put: { TableName: table.name, Item: callItem(call), ConditionExpression: 'attribute_not_exists(pk)' },
  };
}

/** Replaces a call if it is unchanged since it was read; `next.version` must be the one after. */
export function replaceCallItem(table: Table, next: Call): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: callItem(next),
      ConditionExpression: 'version = :read_version',
      ExpressionAttributeValues: { ':read_version': next.version - 1 },
    },
  };
}

/** Removes a call that nothing has happened to since it was created. */
export function deleteUntouchedCallItem(table: Table, call: Call): TransactionItem {
  return {
    Delete: {
      TableName: table.name,
      Key: callKey(call.task_id, call.id),
      ConditionExpression: 'version = :created_version',
      ExpressionAttributeValues: { ':created_version': call.version },
    },
  };
}

/** Deletes a call if it is unchanged since it was read; returns whether it was. */
export async function deleteCall(table: Table, { task_id, id, version }: Call): Promise<boolean> {
  try {
    await table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: callKey(task_id, id),
        ConditionExpression: 'version = :read_version',
        ExpressionAttributeValues: { ':read_version': version },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** All calls of a task, oldest first. Strongly consistent. */
export async function listCalls(table: Table, taskId: string): Promise<Call[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :call)',
    ExpressionAttributeValues: { ':pk': taskPartition(taskId), ':call': 'CALL#' },
    ConsistentRead: true,
  });
  return items.map(callFromItem);
}

/** Strongly consistent, for everything that changes the call. */
export async function getCall(table: Table, taskId: string, callId: string): Promise<Call | null> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: callKey(taskId, callId), ConsistentRead: true }),
  );
  return Item === undefined ? null : callFromItem(Item);
}

const CallLocation = z.object({
  pk: z.string(),
  project_id: z.string(),
  recording: Recording,
});
export type CallLocation = z.infer<typeof CallLocation>;

/** What the call index knows of a call: whose it is and where its recording lies. Eventually consistent. */
export async function findCall(table: Table, callId: string): Promise<CallLocation | null> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: indexNames.call,
      KeyConditionExpression: 'call_pk = :call_pk',
      ExpressionAttributeValues: { ':call_pk': callId },
      Limit: 1,
    }),
  );
  const [item] = Items;
  return item === undefined ? null : CallLocation.parse({ ...item, recording: recordingFromItem(item) });
}
