import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admit } from '#shared/calls/capacity/admit.ts';
import { findHeldSlot, releaseSlotItems } from '#shared/calls/capacity/held-slot.ts';
import { claimCall, isDialDue, releaseClaim } from '#shared/calls/dial/claim-call.ts';
import type { Call } from '#shared/domain/call.ts';
import type { Task } from '#shared/domain/task.ts';
import { getCall } from '#shared/table/call.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import type { Table } from '#shared/table/client.ts';
import { getLine } from '#shared/table/line.ts';
import { createTaskItem, getTask, getTaskWithCalls } from '#shared/table/task.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../../support/embedded-table.ts';
import { sampleProject, sampleTask, sampleTime } from '../../../support/sample-tasks.ts';
import { slotAtNumber } from '../../../support/slot-at-number.ts';

const now = new Date(sampleTime);
const project = sampleProject();
let embedded: EmbeddedTable;
let table: Table;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
  table = embedded.table;
});
afterAll(() => embedded.stop());

let numbers = 0;

async function storedTask(changes: Partial<Task> = {}): Promise<Task> {
  numbers += 1;
  const phone_number = `+1202557${String(numbers).padStart(4, '0')}`;
  const task = sampleTask(project, { phone_number, ...changes });
  await writeTransaction(table, [createTaskItem(table, task)]);
  return task;
}

/** Claims a call after reading the call capacity. */
async function claim(task: Task): Promise<Call> {
  const capacity = await getCallCapacity(table, project.carrier);
  const request = { projectId: project.id, projectLimit: 100, isWaiting: false };
  const { next } = admit(capacity, request, { callsPerSecond: 1000, maxCalls: 100 }, now);
  const line = await slotAtNumber(table, task);
  if (line.read.calls.size > 0) throw new TransactionConditionFailed([]);
  return claimCall(table, { task, project }, { capacity, next, counts: null, line }, now);
}

async function slotsOfProject(): Promise<number> {
  return (await getCallCapacity(table, project.carrier)).slots[project.id] ?? 0;
}

test('one of fifty concurrent claims gets the call, the slot and the number', async () => {
  const task = await storedTask();
  const before = await slotsOfProject();
  const claims = await Promise.allSettled(Array.from({ length: 50 }, () => claim(task)));
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const found = await getTaskWithCalls(table, task.id, { limit: 50 });
  expect(found?.calls).toHaveLength(1);
  expect(found?.task).toMatchObject({
    status: 'IN_PROGRESS',
    attempts: 1,
    current_call_id: found?.calls[0]?.id,
    last_call_id: found?.calls[0]?.id,
    next_attempt_at: null,
    next_attempt_reason: null,
    waiting_for_line_since: null,
  });
  expect(await slotsOfProject()).toBe(before + 1);
  const line = await getLine(table, { carrier: 'sandbox', phone_number: task.phone_number });
  expect([...line.calls.values()]).toEqual([
    expect.objectContaining({ call_id: found?.calls[0]?.id, project_id: project.id }),
  ]);
});

test('a number with a slot taken since the read cannot be claimed by any project', async () => {
  const { phone_number } = await storedTask();
  const line = await slotAtNumber(table, { phone_number });
  await claim(await storedTask({ phone_number }));
  const another = await storedTask({ phone_number });
  const capacity = await getCallCapacity(table, project.carrier);
  const late = claimCall(
    table,
    { task: another, project },
    { capacity, next: capacity, counts: null, line },
    now,
  );
  await expect(late).rejects.toThrow(TransactionConditionFailed);
  expect(await getTask(table, another.id)).toEqual(another);
});

test('a call claimed by an earlier version still holds its number, and releases it', async () => {
  const task = await storedTask();
  const call = await claim(task);
  const { phone_number } = call;
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        pk: `DESTINATION#sandbox#${phone_number}`,
        sk: 'LOCK',
        carrier: 'sandbox',
        phone_number,
        project_id: project.id,
        task_id: task.id,
        call_id: call.id,
        awaited_by: null,
        counted_on: null,
      },
    }),
  );
  const held = await findHeldSlot(table, call);
  expect(held).toMatchObject({ call_id: call.id, project_id: project.id });
  await writeTransaction(table, releaseSlotItems(table, held));
  expect((await getLine(table, call)).calls.size).toBe(0);
  await expect(writeTransaction(table, releaseSlotItems(table, held))).rejects.toThrow(
    TransactionConditionFailed,
  );
});

test('a slot taken meanwhile is not taken twice', async () => {
  const capacity = await getCallCapacity(table, project.carrier);
  const request = { projectId: project.id, projectLimit: 100, isWaiting: false };
  const { next } = admit(capacity, request, { callsPerSecond: 1000, maxCalls: 100 }, now);
  const [first, second] = [await storedTask(), await storedTask()];
  const [one, other] = [await slotAtNumber(table, first), await slotAtNumber(table, second)];
  await claimCall(table, { task: first, project }, { capacity, next, counts: null, line: one }, now);
  const late = claimCall(
    table,
    { task: second, project },
    { capacity, next, counts: null, line: other },
    now,
  );
  await expect(late).rejects.toThrow(TransactionConditionFailed);
});

test('a claimed call is due before its dial', async () => {
  const call = await claim(await storedTask());
  expect(call).toMatchObject({ submission: 'claimed', status: 'IN_PROGRESS', attempt: 1 });
  expect(Date.parse(call.due_at ?? '')).toBeGreaterThan(now.getTime());
});

describe('a task is due for dialing', () => {
  const task = sampleTask(project, { next_attempt_at: sampleTime });

  test('from its due time, with a small tolerance for clocks', () => {
    expect(isDialDue(task, now)).toBe(true);
    expect(isDialDue(task, new Date(now.getTime() - 2_000))).toBe(true);
    expect(isDialDue(task, new Date(now.getTime() - 60_000))).toBe(false);
  });

  test('at any time while it waits for a slot, because the caller knows of a free one', () => {
    const queued = { ...task, waiting_for_line_since: sampleTime };
    expect(isDialDue(queued, new Date(now.getTime() - 60_000))).toBe(true);
    expect(isDialDue({ ...queued, status: 'CANCELLED' }, now)).toBe(false);
  });

  test('never during a call, after its end, or without a due time', () => {
    expect(isDialDue({ ...task, current_call_id: task.id }, now)).toBe(false);
    expect(isDialDue({ ...task, next_attempt_at: null }, now)).toBe(false);
    for (const status of ['COMPLETED', 'FAILED', 'CANCELLED'] as const) {
      expect(isDialDue({ ...task, status }, now)).toBe(false);
    }
  });
});

describe('a released claim', () => {
  const waiting = {
    next_attempt_at: new Date(now.getTime() + 30_000).toISOString(),
    next_attempt_reason: 'The carrier is busy.',
  };

  function released(task: Task, carrierPausedUntil: Date | null = null): Parameters<typeof releaseClaim>[2] {
    return { after: { ...task, ...waiting }, carrierPausedUntil };
  }

  test('leaves no call and the same attempt, and frees slot and number', async () => {
    const task = await storedTask();
    const before = await slotsOfProject();
    const call = await claim(task);
    expect(await releaseClaim(table, call, released(task), now)).toMatchObject({ call_id: call.id });
    expect(await getCall(table, task.id, call.id)).toBeNull();
    expect(await getTask(table, task.id)).toEqual({
      ...task,
      ...waiting,
      started_at: now.toISOString(),
      updated_at: now.toISOString(),
    });
    expect(await slotsOfProject()).toBe(before);
    expect(await findHeldSlot(table, call)).toBeNull();
    expect(await releaseClaim(table, call, released(task), now)).toBeNull();
    expect(await slotsOfProject()).toBe(before);
  });

  test('can pause all calls to the carrier for a while', async () => {
    const task = await storedTask();
    const carrierPausedUntil = new Date(now.getTime() + 5_000);
    await releaseClaim(table, await claim(task), released(task, carrierPausedUntil), now);
    expect((await getCallCapacity(table, 'sandbox')).next_slot_at).toBe(carrierPausedUntil.toISOString());
  });

  test('is refused once the call has changed', async () => {
    const task = await storedTask();
    const call = await claim(task);
    expect(await releaseClaim(table, { ...call, version: 7 }, released(task), now)).toBeNull();
    expect(await getCall(table, task.id, call.id)).toEqual(call);
    expect(await findHeldSlot(table, call)).toMatchObject({ call_id: call.id });
  });
});
