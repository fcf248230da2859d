import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCall, replaceCallItems } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { getErasure, replaceErasureItem } from '#shared/table/erasure.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { scanTable } from '../support/scan-table.ts';
import { eventually, newTestClient, stackTable, sweep, type TestClient } from '../support/stack.ts';

let client: TestClient;
beforeAll(async () => {
  client = await newTestClient();
});
afterAll(() => client.stop());

/** Occurs only in this patient's data. */
const canary = 'Featherstonehaugh';

/** Everything in the stack's table. */
async function contents(): Promise<string> {
  return JSON.stringify(await scanTable(stackTable()));
}

const minuteMs = 60_000;
const aMinuteBefore = (moment: string): string => new Date(Date.parse(moment) - minuteMs).toISOString();

/**
 * Once the eraser waits, moves the call and the order to erase a minute into the past, which is how long it waits for
 * either. While it works, a changed order would keep it from recording that it is done.
 */
async function letMinutePass(
  table: Table,
  { taskId, callId, erasureId }: Record<'taskId' | 'callId' | 'erasureId', string>,
): Promise<void> {
  const call = await getCall(table, taskId, callId);
  const erasure = await getErasure(table, erasureId);
  if (erasure === null) throw new Error('the erasure was not ordered');
  if (erasure.due_at === null || Date.parse(erasure.due_at) <= Date.now()) return;
  const requested_at = aMinuteBefore(erasure.requested_at);
  const items = [replaceErasureItem(table, { ...erasure, requested_at, due_at: requested_at })];
  if (call !== null) {
    const completed_at = aMinuteBefore(String(call.completed_at));
    items.push(...replaceCallItems(table, call, { ...call, completed_at, version: call.version + 1 }));
  }
  try {
    await writeTransaction(table, items);
  } catch (error) {
    // The eraser was faster.
    if (!(error instanceof TransactionConditionFailed)) throw error;
  }
  await sweep();
}

test('an erased patient is gone from the service and the carrier, as the receipt says', async () => {
  const registered = await client.request('POST', '/v1/patient', {
    project_id: client.projectId,
    ...demoPatient,
    last_name: canary,
  });
  const created = await client.request('POST', '/v1/task', {
    project_id: client.projectId,
    patient_id: registered.body.id,
    task_type: 'SCHEDULE_APPOINTMENT',
    task: `Schedule a check-up for ${canary}.`,
    phone_number: '+12025550100',
  });
  const task = await eventually('the task to end', async () => {
    const { body } = await client.request('GET', `/v1/task/${created.body.id}`);
    return body.status === 'COMPLETED' ? body : null;
  });
  const [call] = task.calls;
  await eventually('the recording', async () => {
    const { status } = await client.request('GET', `/v1/call/${call.id}/recording`);
    return status === 302 ? true : null;
  });
  expect(await contents()).toContain(canary);

  const erased = await client.request('DELETE', `/v1/patient/${registered.body.id}`);
  expect([erased.status, erased.body.status]).toEqual([202, 'PENDING']);
  const ids = { taskId: created.body.id, callId: call.id, erasureId: registered.body.id };
  await eventually('the erasure to be done', async () => {
    const { body } = await client.request('GET', `/v1/erasure/${registered.body.id}`);
    if (body.status === 'DONE') return true;
    await letMinutePass(stackTable(), ids);
    return null;
  });

  expect((await client.request('GET', `/v1/task/${created.body.id}`)).status).toBe(404);
  expect((await client.request('GET', `/v1/call/${call.id}/recording`)).status).toBe(404);
  expect(await contents()).not.toContain(canary);
}, 300_000);
