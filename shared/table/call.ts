import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Call, CallState } from '#shared/domain/call.ts';
import { Recording } from '#shared/domain/recording.ts';
import type { Table } from './client.ts';
import { dueIndexAttributes, endedIndexAttributes, indexNames, projectIndexAttributes } from './indexes.ts';
import { nullsOf, withoutNulls } from './null-members.ts';
import { unpack } from './packed.ts';
import type { PrimaryKey } from './primary-key.ts';
import { prefixQuery, queryPages, queryPrefix } from './query-pages.ts';
import {
  deleteRecordingItem,
  recordingFromItem,
  recordingOfCallItem,
  replaceRecordingItems,
} from './recording.ts';
import { isConflict } from './retry-on-conflict.ts';
import { callKey, taskPartition } from './task-key.ts';
import { sealEach, sealPacked } from './to-seal.ts';
import { type TransactionItem, writeTransaction } from './transaction.ts';
import { isNew, itemDelete, itemPut, when } from './transaction-items.ts';

/** The part of a call in the index of rows, as far as known. */
export const CallListed = z.pick(CallState, {
  submission: true,
  carrier_progress: true,
  session_status: true,
  answered_by: true,
  talk_seconds: true,
  hold_seconds: true,
});

/**
 * A call as stored, without its recording. A call in progress stays below a kilobyte, because each of its many writes
 * is billed by size.
 */
export function callItem(call: CallState): Record<string, unknown> {
  const { id, outlived_task, ...members } = CallState.parse(call);
  return withoutNulls({
    ...callKey(call.task_id, id),
    type: 'call',
    // A separate attribute: turns and connections have a `call_id` too, and must not be found as calls.
    call_pk: id,
    // Listed once it has ended: before, each of its many writes would be billed for two more indexes.
    ...(call.ended_at === null ? {} : projectIndexAttributes(call.project_id, 'CALL', id)),
    ...members,
    outlived_task: outlived_task || null,
    ...sealEach(call.project_id, call, ['call_outcome', 'reason']),
    result: call.result === null ? null : sealPacked(call.project_id, 'result', call.result),
    listed: withoutNulls(CallListed.parse(call)),
    ...(call.completed_at === null
      ? dueIndexAttributes(id, call.due_at)
      : endedIndexAttributes(id, call.updated_at)),
  });
}

const absent = nullsOf(CallState);

type Item = Readonly<Record<string, unknown>>;

/** A call from its item, where a missing member means null; its recording has its own item. */
export function callStateFromItem(item: Item): CallState {
  return CallState.parse({
    ...absent,
    id: item.call_pk,
    ...item,
    // Set to when the call ended or, in earlier versions, when its recording was due.
    ...(item.completed_at === undefined || item.completed_at === null ? {} : { due_at: null }),
    result: unpack(item.result ?? null),
  });
}

/** The calls among items of a task's partition, in order, each with its recording. */
export function callsFromItems(items: readonly Item[]): Call[] {
  const recordings = new Map(
    items.filter(({ type }) => type === 'recording').map((item) => [item.call_pk, item]),
  );
  return items
    .filter(({ type }) => type === 'call')
    .map((item) => callWithRecording(item, recordings.get(item.call_pk)));
}

function callWithRecording(item: Item, recordingItem: Item | undefined): Call {
  const state = callStateFromItem(item);
  if (recordingItem === undefined) return { ...state, recording: recordingOfCallItem(item) };
  const [updated_at = state.updated_at] = [state.updated_at, String(recordingItem.updated_at)]
    .sort()
    .reverse();
  return { ...state, recording: recordingFromItem(recordingItem), updated_at };
}

export function createCallItem(table: Table, call: Call): TransactionItem {
  return itemPut(table, callItem(call), isNew);
}

/** Writes a call and its recording where they have a new version, if they are unchanged since they were read. */
export function replaceCallItems(table: Table, read: Call, next: Call): TransactionItem[] {
  const isCallWritten = next.version !== read.version;
  const isRecordingWritten = next.recording.version !== read.recording.version;
  const put: TransactionItem = itemPut(
    table,
    callItem(next),
    when('version = :read_version', { read_version: read.version }),
  );
  return [
    ...(isCallWritten ? [put] : []),
    ...(isRecordingWritten ? replaceRecordingItems(table, next, { isCallWritten }) : []),
  ];
}

/** Deletes a call that is unchanged since it was read. */
export function deleteCallItem(table: Table, call: Call): TransactionItem {
  return itemDelete(
    table,
    callKey(call.task_id, call.id),
    when('version = :read_version', { read_version: call.version }),
  );
}

/** Deletes a call and its recording if unchanged since they were read; returns whether they were. */
export async function deleteCall(table: Table, call: Call): Promise<boolean> {
  try {
    await writeTransaction(table, [deleteCallItem(table, call), deleteRecordingItem(table, call)]);
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

/** All calls of a task, oldest first. Strongly consistent. */
export function listCalls(table: Table, taskId: string): Promise<Call[]> {
  return readCalls(table, { pk: taskPartition(taskId), sk: 'CALL#' });
}

/** Strongly consistent, for everything that changes the call. */
export async function getCall(table: Table, taskId: string, callId: string): Promise<Call | null> {
  const [call = null] = await readCalls(table, callKey(taskId, callId));
  return call;
}

/** The calls of a task and their recordings as they are stored, a page at a time. Strongly consistent. */
export function callItemPages(table: Table, taskId: string): AsyncGenerator<Record<string, unknown>[]> {
  return queryPages(table, prefixQuery(taskPartition(taskId), 'CALL#'));
}

async function readCalls(table: Table, { pk, sk }: PrimaryKey): Promise<Call[]> {
  const items = await queryPrefix(table, pk, sk);
  return callsFromItems(items);
}

const CallLocation = z.object({
  pk: z.string(),
  project_id: z.string(),
  recording: Recording,
});
export type CallLocation = z.infer<typeof CallLocation>;

/** The call index: a call's project and task, and its recording's location. Eventually consistent. */
export async function findCall(table: Table, callId: string): Promise<CallLocation | null> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: indexNames.call,
      KeyConditionExpression: 'call_pk = :call_pk',
      ExpressionAttributeValues: { ':call_pk': callId },
    }),
  );
  // Its recording or, in earlier versions, the call itself has one.
  const item = Items.find(({ recording }) => recording !== undefined) ?? Items[0];
  if (item === undefined) return null;
  return CallLocation.parse({ ...item, recording: recordingFromItem(item) });
}
