import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { eventually, newTestClient, type TestClient } from '../support/stack.ts';

let client: TestClient;
let patientId: string;

beforeAll(async () => {
  client = await newTestClient();
  const patient = { project_id: client.projectId, ...demoPatient };
  patientId = (await client.request('POST', '/v1/patient', patient)).body.id;
});

afterAll(() => client.stop());

/** A task that is not called during this test, unless requested. */
function task(members: object = { call_after: '2099-01-01T00:00:00Z' }): object {
  return {
    project_id: client.projectId,
    patient_id: patientId,
    task_type: 'CUSTOM_TASK',
    task: 'Ask for the opening hours.',
    phone_number: '+12025550113',
    ...members,
  };
}

async function batchAs(id: string, status: string) {
  return eventually(`the batch to be ${status}`, async () => {
    const { body } = await client.request('GET', `/v1/task/batch/${id}?limit=1`);
    return body.status === status ? body : null;
  });
}

test('tasks of a batch are accepted, created soon after, and canceled as one', {
  timeout: 300_000,
}, async () => {
  // Several messages create the tasks, 50 each.
  const count = 60;
  const tasks = Array.from({ length: count }, (_, index) => ({
    ...task(),
    idempotency_key: `order-${index}`,
  }));
  const accepted = await client.request('POST', '/v1/task/batch', { tasks });
  expect(accepted.status).toBe(202);
  const created = await batchAs(accepted.body.id, 'DONE');
  expect(created.item_counts).toMatchObject({ CREATED: count, PENDING: 0, REJECTED: 0 });
  const [first] = accepted.body.items;
  expect((await client.request('GET', `/v1/task/${first.id}`)).body).toMatchObject({
    id: first.id,
    status: 'PENDING',
  });
  const again = await client.request('POST', '/v1/task/batch', { tasks: tasks.slice(0, 3) });
  expect(again.body.items).toEqual(accepted.body.items.slice(0, 3));

  const cancelled = await client.request('POST', `/v1/task/batch/${accepted.body.id}/cancel`);
  expect([cancelled.status, cancelled.body.status]).toEqual([200, 'CANCELLING']);
  await batchAs(accepted.body.id, 'CANCELLED');
  await eventually('all tasks to be counted as cancelled', async () => {
    const { body } = await client.request('GET', `/v1/task/batch/${accepted.body.id}?limit=1`);
    return body.task_counts.CANCELLED === count ? body : null;
  });
});

test('a task of a batch is called like a single one', async () => {
  const { body } = await client.request('POST', '/v1/task/batch', {
    tasks: [task({ phone_number: '+12025550103' })],
  });
  const [{ id }] = body.items;
  const ended = await eventually('the task to end', async () => {
    const { body: found } = await client.request('GET', `/v1/task/${id}`);
    return ['COMPLETED', 'FAILED'].includes(found.status) ? found : null;
  });
  expect(ended.calls.length).toBeGreaterThan(0);
  expect((await batchAs(body.id, 'DONE')).task_counts).toMatchObject({ PENDING: 0, IN_PROGRESS: 0 });
});
