import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimCall, isDialDue, releaseClaim } from '#shared/calls/claim-call.ts';
import type { Task } from '#shared/domain/task.ts';
import { getCall } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { createTaskItem, getTask, getTaskWithCalls } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { sampleProject, sampleTask, sampleTime } from '../../support/sample-tasks.ts';

const now = new Date(sampleTime);
const project = sampleProject();
let embedded: EmbeddedTable;
let table: Table;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
  table = embedded.table;
});
afterAll(() => embedded.stop());

async function storedTask(changes: Partial<Task> = {}): Promise<Task> {
  const task = sampleTask(project, changes);
  await writeTransaction(table, [createTaskItem(table, task)]);
  return task;
}

test('of fifty claims at the same time one gets the call', async () => {
  const task = await storedTask();
  const claims = await Promise.allSettled(
    Array.from({ length: 50 }, () => claimCall(table, task, project, now)),
  );
  const won = claims.filter((claim) => claim.status === 'fulfilled' && claim.value !== null);
  expect(won).toHaveLength(1);
  const found = await getTaskWithCalls(table, task.id, { limit: 50 });
  expect(found?.calls).toHaveLength(1);
  expect(found?.task).toMatchObject({
    status: 'IN_PROGRESS',
    attempts: 1,
    current_call_id: found?.calls[0]?.id,
    last_call_id: found?.calls[0]?.id,
    next_attempt_at: null,
    next_attempt_reason: null,
  });
});

test('a claimed call is due before anything is known of it', async () => {
  const call = await claimCall(table, await storedTask(), project, now);
  expect(call).toMatchObject({ submission: 'claimed', status: 'IN_PROGRESS', attempt: 1 });
  expect(Date.parse(call?.due_at ?? '')).toBeGreaterThan(now.getTime());
});

describe('a task is due for dialling', () => {
  const task = sampleTask(project, { next_attempt_at: sampleTime });

  test('from its time on, with a little tolerance for clocks', () => {
    expect(isDialDue(task, now)).toBe(true);
    expect(isDialDue(task, new Date(now.getTime() - 2_000))).toBe(true);
    expect(isDialDue(task, new Date(now.getTime() - 60_000))).toBe(false);
  });

  test('never while it is being called, at its end, or without a time', () => {
    expect(isDialDue({ ...task, current_call_id: task.id }, now)).toBe(false);
    expect(isDialDue({ ...task, next_attempt_at: null }, now)).toBe(false);
    for (const status of ['COMPLETED', 'FAILED', 'CANCELLED'] as const) {
      expect(isDialDue({ ...task, status }, now)).toBe(false);
    }
  });
});

describe('a released claim', () => {
  const next = { at: new Date(now.getTime() + 30_000), reason: 'The carrier is busy.' };

  test('leaves no call and the same attempt', async () => {
    const task = await storedTask();
    const call = await claimCall(table, task, project, now);
    if (call === null) throw new Error('the claim failed');
    expect(await releaseClaim(table, call, task, next, now)).toBe(true);
    expect(await getCall(table, task.id, call.id)).toBeNull();
    expect(await getTask(table, task.id)).toEqual({
      ...task,
      next_attempt_at: next.at.toISOString(),
      next_attempt_reason: next.reason,
      updated_at: now.toISOString(),
    });
    expect(await releaseClaim(table, call, task, next, now)).toBe(false);
  });

  test('is refused once something has happened to the call', async () => {
    const task = await storedTask();
    const call = await claimCall(table, task, project, now);
    if (call === null) throw new Error('the claim failed');
    expect(await releaseClaim(table, { ...call, version: 7 }, task, next, now)).toBe(false);
    expect(await getCall(table, task.id, call.id)).toEqual(call);
  });
});
