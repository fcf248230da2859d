import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { unknownRecording } from '#shared/domain/recording.ts';
import type { Task } from '#shared/domain/task.ts';
import { findCall, replaceCallItems } from '#shared/table/call.ts';
import { putTurnItem } from '#shared/table/conversation.ts';
import { findDue } from '#shared/table/due.ts';
import { createRelayConnectionItem } from '#shared/table/relay-connection.ts';
import {
  type CallsFrom,
  createTaskItem,
  getTask,
  getTaskWithCalls,
  replaceTaskItem,
  type TaskWithCalls,
} from '#shared/table/task.ts';
import { taskKey, taskPartition } from '#shared/table/task-key.ts';
import { findTaskRows, toTaskRow } from '#shared/table/task-rows.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleCall, sampleProject, sampleTask } from '../../support/sample-tasks.ts';
import { storedCallItems } from '../../support/stored-calls.ts';

const embedded = await forThisFile(startEmbeddedTable());

const now = '2026-11-23T15:00:00.000Z';

const project = sampleProject();

function newTask(changes: Partial<Task> = {}): Task {
  return sampleTask(project, { next_attempt_at: null, next_attempt_reason: null, ...changes });
}

async function storeTaskWithCalls(count: number): Promise<{ task: Task; calls: Call[] }> {
  const task = newTask();
  const calls = Array.from({ length: count }, (_, index) =>
    sampleCall(task, {
      id: uuidv7(Date.now() + index),
      attempt: index + 1,
      // Of every third one, nothing is known.
      ...(index % 3 === 0 ? {} : { recording: { ...unknownRecording, carrier_recording_sid: `RE${index}` } }),
    }),
  );
  await writeTransaction(embedded.table, [createTaskItem(embedded.table, task)]);
  for (const call of calls) await writeTransaction(embedded.table, storedCallItems(embedded.table, call));
  return { task, calls };
}

describe('a task with its calls', () => {
  test('comes newest call first, and says if there are more', async () => {
    const { task, calls } = await storeTaskWithCalls(3);
    const found = await getTaskWithCalls(embedded.table, task.id, { limit: 1 });
    expect(found?.task).toEqual(task);
    expect(found?.calls.map((call) => call.id)).toEqual([calls[2]?.id]);
    expect(found?.hasMoreCalls).toBe(true);
    expect((await getTaskWithCalls(embedded.table, task.id, { limit: 3 }))?.hasMoreCalls).toBe(false);
  });

  test('without a call is just the task', async () => {
    const { task } = await storeTaskWithCalls(0);
    expect(await getTaskWithCalls(embedded.table, task.id, { limit: 1 })).toEqual({
      task,
      calls: [],
      hasMoreCalls: false,
    });
    expect(await getTaskWithCalls(embedded.table, uuidv7(), { limit: 1 })).toBeNull();
  });

  test('is read in pages without losing or repeating a call', async () => {
    const { task, calls } = await storeTaskWithCalls(7);
    const seen: string[] = [];
    let from: CallsFrom | undefined;
    for (;;) {
      const page = await getTaskWithCalls(embedded.table, task.id, { limit: 3, from });
      seen.push(...(page?.calls ?? []).map((call) => call.id));
      if (page?.hasMoreCalls !== true) break;
      from = { callId: String(seen.at(-1)), isIncluded: false };
    }
    expect(seen).toEqual(calls.map((call) => call.id).reverse());
  });

  test('has each call with its own recording, on any page', async () => {
    const { task, calls } = await storeTaskWithCalls(6);
    const sids = (found: TaskWithCalls | null) =>
      found?.calls.map(({ recording }) => recording.carrier_recording_sid);
    const [, , , third, fourth] = calls.map(({ id }) => id);
    const page = (from?: CallsFrom) => getTaskWithCalls(embedded.table, task.id, { limit: 2, from });
    expect(sids(await page())).toEqual(['RE5', 'RE4']);
    expect(sids(await page({ callId: fourth ?? '', isIncluded: true }))).toEqual(['RE4', null]);
    expect(sids(await page({ callId: fourth ?? '', isIncluded: false }))).toEqual([null, 'RE2']);
    expect(sids(await page({ callId: third ?? '', isIncluded: false }))).toEqual(['RE2', 'RE1']);
  });

  test('costs the same whether it has 1 call or 40', async () => {
    const consumed: (number | undefined)[] = [];
    for (const count of [3, 40]) {
      const { task } = await storeTaskWithCalls(count);
      const { ConsumedCapacity, ScannedCount } = await embedded.table.client.send(
        new QueryCommand({
          TableName: embedded.table.name,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': taskPartition(task.id) },
          ScanIndexForward: false,
          Limit: 3,
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      expect(ScannedCount).toBe(3);
      consumed.push(ConsumedCapacity?.CapacityUnits);
    }
    expect(consumed[0]).toBe(consumed[1]);
  });
});

test('a task is stored without rare members, and read with them', async () => {
  const task = newTask({ status: 'COMPLETED' });
  await writeTransaction(embedded.table, [createTaskItem(embedded.table, task)]);
  const { Item = {} } = await embedded.table.stored.send(
    new GetCommand({ TableName: embedded.table.name, Key: taskKey(task.id) }),
  );
  const rarelySet = ['waiting_for_line_since', 'next_attempt_reason', 'needs_review', 'needs_follow_up'];
  expect(Object.keys(Item).filter((name) => rarelySet.includes(name))).toEqual([]);
  expect(await getTask(embedded.table, task.id)).toEqual(task);
  expect(await findTaskRows(embedded.table, [task.id])).toEqual([toTaskRow(task)]);
});

describe('a change of a task or a call', () => {
  test('is refused if the item has changed since the read', async () => {
    const { task, calls } = await storeTaskWithCalls(1);
    const [call] = calls;
    if (call === undefined) throw new Error('no call');
    await writeTransaction(embedded.table, [
      replaceTaskItem(embedded.table, task, { ...task, status: 'IN_PROGRESS', attempts: 1 }),
      ...replaceCallItems(embedded.table, call, { ...call, version: call.version + 1, status: 'BUSY' }),
    ]);
    const late = writeTransaction(embedded.table, [
      replaceTaskItem(embedded.table, task, { ...task, status: 'FAILED' }),
      ...replaceCallItems(embedded.table, call, { ...call, version: call.version + 1, status: 'FAILED' }),
    ]);
    await expect(late).rejects.toThrow(TransactionConditionFailed);
    const found = await getTaskWithCalls(embedded.table, task.id, { limit: 1 });
    expect(found).toMatchObject({ task: { status: 'IN_PROGRESS' }, calls: [{ status: 'BUSY' }] });
  });
});

describe('the call index', () => {
  test('finds a call and nothing else', async () => {
    const { task, calls } = await storeTaskWithCalls(1);
    const [call] = calls;
    if (call === undefined) throw new Error('no call');
    await writeTransaction(embedded.table, [
      putTurnItem(embedded.table, call.project_id, {
        call_id: call.id,
        index: 0,
        role: 'user',
        content: 'Hello',
        offset_ms: 0,
        created_at: now,
      }),
      createRelayConnectionItem(
        embedded.table,
        { connection_id: uuidv7(), call_id: call.id, task_id: task.id },
        Date.parse(now),
      ),
    ]);
    expect(await findCall(embedded.table, call.id)).toMatchObject({
      pk: taskPartition(task.id),
      project_id: task.project_id,
      recording: call.recording,
    });
    expect(await findCall(embedded.table, uuidv7())).toBeNull();
  });
});

describe('the due index', () => {
  test('returns items that are due, not later or idle ones', async () => {
    const due = newTask({ next_attempt_at: '2026-11-23T14:00:00.000Z' });
    const later = newTask({ next_attempt_at: '2026-11-23T16:00:00.000Z' });
    const never = newTask();
    for (const task of [due, later, never]) {
      await writeTransaction(embedded.table, [createTaskItem(embedded.table, task)]);
    }
    const found: string[] = [];
    for await (const page of findDue(embedded.table, now)) found.push(...page.map((item) => item.pk));
    expect(found).toEqual([taskPartition(due.id)]);
  });

  test('returns a long backlog completely, in pages', async () => {
    const tasks = Array.from({ length: 450 }, () => newTask({ next_attempt_at: '2026-11-20T00:00:00.000Z' }));
    for (let at = 0; at < tasks.length; at += 50) {
      await writeTransaction(
        embedded.table,
        tasks.slice(at, at + 50).map((task) => createTaskItem(embedded.table, task)),
      );
    }
    const found = new Set<string>();
    for await (const page of findDue(embedded.table, '2026-11-21T00:00:00.000Z')) {
      for (const item of page) found.add(item.pk);
    }
    expect(found).toEqual(new Set(tasks.map((task) => taskPartition(task.id))));
  });
});
