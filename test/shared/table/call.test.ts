import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import { callItem, callKey, findCall, getCall } from '#shared/table/call.ts';
import { taskIdOfKey } from '#shared/table/task-key.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleCall, sampleProject, sampleTask } from '../../support/sample-tasks.ts';

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

describe('a call as it is stored', () => {
  test('takes one write unit beside those of the indexes until it has ended', async () => {
    const { ConsumedCapacity } = await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: callItem(sampleCall(task, answered)),
        ReturnConsumedCapacity: 'INDEXES',
      }),
    );
    expect(ConsumedCapacity?.Table?.CapacityUnits).toBe(1);
  });

  test.each<[string, Partial<Call>]>([
    ['in progress', answered],
    ['that outlived its task', { outlived_task: true }],
  ])('is read as it was written: one %s', async (_, changes) => {
    const call = sampleCall(task, changes);
    await table.client.send(new PutCommand({ TableName: table.name, Item: callItem(call) }));
    expect(await getCall(table, task.id, call.id)).toEqual(call);
    const found = await findCall(table, call.id);
    expect(found?.recording).toEqual(call.recording);
    expect(taskIdOfKey(found ?? { pk: '' })).toBe(task.id);
  });

  test('has its identifier and whole recording where an earlier version wrote them', async () => {
    const call = sampleCall(task, answered);
    const { recording, id } = call;
    const Item = { ...callItem(call), ...callKey(task.id, id), id, recording, outlived_task: false };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    expect(await getCall(table, task.id, id)).toEqual(call);
  });
});
