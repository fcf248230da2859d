import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { type Call, versioned } from '#shared/domain/call.ts';
import { noRecording, unknownRecording } from '#shared/domain/recording.ts';
import { callItem, deleteCall, findCall, getCall, listCalls, replaceCallItems } from '#shared/table/call.ts';
import type { PrimaryKey } from '#shared/table/primary-key.ts';
import { callKey, recordingKey, taskIdOfKey } from '#shared/table/task-key.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleCall, sampleProject, sampleTask, sampleTime } from '../../support/sample-tasks.ts';
import { storedCallItems } from '../../support/stored-calls.ts';

const { table } = await forThisFile(startEmbeddedTable());
const project = sampleProject();
const task = sampleTask(project);
const answered: Partial<Call> = {
  carrier_call_sid: `CA${'0'.repeat(32)}`,
  submission: 'submitted',
  carrier_progress: 'answered',
  answered_by: 'human',
  session_status: 'completed',
  due_at: '2026-11-23T10:05:00.000Z',
};

describe('a stored call', () => {
  test('takes one write unit besides its two indexes until it has ended', async () => {
    const { ConsumedCapacity } = await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: callItem(sampleCall(task, answered)),
        ReturnConsumedCapacity: 'INDEXES',
      }),
    );
    expect(ConsumedCapacity?.Table?.CapacityUnits).toBe(1);
    // Not in any list of its project.
    expect(Object.keys(ConsumedCapacity?.GlobalSecondaryIndexes ?? {}).sort()).toEqual([
      'call-index',
      'due-index',
    ]);
  });

  test.each<[string, Partial<Call>]>([
    ['in progress', answered],
    ['that outlived its task', { outlived_task: true }],
  ])('is read as written: one %s', async (_, changes) => {
    const call = sampleCall(task, changes);
    await table.client.send(new PutCommand({ TableName: table.name, Item: callItem(call) }));
    expect(await getCall(table, task.id, call.id)).toEqual(call);
    const found = await findCall(table, call.id);
    expect(found?.recording).toEqual(call.recording);
    expect(taskIdOfKey(found ?? { pk: '' })).toBe(task.id);
  });

  test('has its ID and complete recording where an earlier version wrote them', async () => {
    const call = sampleCall(task, answered);
    const { recording, id } = call;
    const Item = { ...callItem(call), ...callKey(task.id, id), id, recording, outlived_task: false };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    expect(await getCall(table, task.id, id)).toEqual(call);
  });

  test('has no recording if completed without one', async () => {
    const call = sampleCall(task, { ...answered, completed_at: sampleTime, due_at: null });
    await table.client.send(new PutCommand({ TableName: table.name, Item: callItem(call) }));
    expect((await getCall(table, task.id, call.id))?.recording).toEqual(
      noRecording('Nobody answered, so nothing was recorded.'),
    );
  });
});

describe('the recording of a call', () => {
  const found = { ...unknownRecording, carrier_recording_sid: 'RE1', due_at: '2026-11-23T10:02:00.000Z' };

  async function newCall(changes: Partial<Call> = {}): Promise<Call> {
    const call = sampleCall(sampleTask(project), { ...answered, ...changes });
    await writeTransaction(table, storedCallItems(table, call));
    return (await getCall(table, call.task_id, call.id)) ?? call;
  }

  function write(read: Call, changed: Call, at = new Date('2026-11-23T10:00:00.000Z')): Promise<void> {
    return writeTransaction(table, replaceCallItems(table, read, versioned(read, changed, at)));
  }

  function stored(key: PrimaryKey) {
    return table.client.send(new GetCommand({ TableName: table.name, Key: key }));
  }

  test('changes without its call, and is read with it, also in lists', async () => {
    const call = await newCall();
    await write(call, { ...call, recording: found });
    const read = await getCall(table, call.task_id, call.id);
    expect(read).toEqual({
      ...call,
      recording: { ...found, version: 1 },
      updated_at: '2026-11-23T10:00:00.000Z',
    });
    expect(await listCalls(table, call.task_id)).toEqual([read]);
    expect((await findCall(table, call.id))?.recording).toMatchObject({ carrier_recording_sid: 'RE1' });
    expect(await stored(callKey(call.task_id, call.id))).toMatchObject({
      Item: { version: 1, updated_at: call.updated_at },
    });
  });

  test('that changes with its call is written in the same transaction', async () => {
    const call = await newCall({ recording: found });
    await write(call, { ...call, recording: { ...call.recording, at_carrier: true } });
    const late = { ...call, due_at: null, recording: { ...call.recording, status: 'stored' as const } };
    await expect(write(call, late)).rejects.toThrow(TransactionConditionFailed);
    expect(await getCall(table, call.task_id, call.id)).toMatchObject({
      due_at: answered.due_at,
      version: 1,
    });
  });

  test('is not created if its call was erased', async () => {
    const call = await newCall();
    expect(await deleteCall(table, call)).toBe(true);
    await expect(write(call, { ...call, recording: found })).rejects.toThrow(TransactionConditionFailed);
    expect(await stored(recordingKey(call.task_id, call.id))).not.toHaveProperty('Item');
  });

  test('is deleted with its call, unless it has changed', async () => {
    const read = await newCall();
    await write(read, { ...read, recording: found });
    expect(await deleteCall(table, read)).toBe(false);
    const now = (await getCall(table, read.task_id, read.id)) ?? read;
    expect(await deleteCall(table, now)).toBe(true);
    expect(await getCall(table, read.task_id, read.id)).toBeNull();
    expect(await stored(recordingKey(read.task_id, read.id))).not.toHaveProperty('Item');
  });
});
