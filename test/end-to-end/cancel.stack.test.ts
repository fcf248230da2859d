import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import {
  type ApiResponse,
  eventually,
  newTestClient,
  type TestClient,
  withoutPause,
} from '../support/stack.ts';

/** A menu, a long hold with announcements, and then a person: long enough to be canceled in the middle. */
const number = '+12025550115';

let client: TestClient;
let patientId: string;

beforeAll(async () => {
  client = await newTestClient();
  const created = await client.request('POST', '/v1/patient', {
    project_id: client.projectId,
    ...demoPatient,
  });
  patientId = created.body.id;
});

afterAll(() => client.stop());

/** Creates a task and cancels it as soon as its call is under way. */
async function cancelDuringCall(): Promise<ApiResponse> {
  const created = await client.request('POST', '/v1/task', {
    project_id: client.projectId,
    patient_id: patientId,
    task_type: 'VERIFY_INSURANCE',
    task: 'Ask for the copay.',
    phone_number: number,
  });
  const path = `/v1/task/${created.body.id}`;
  const isUnderWay = async () => {
    const { body } = await client.request('GET', path);
    return body.status === 'PENDING' ? null : body;
  };
  await eventually('the call to be under way', isUnderWay, 90_000, withoutPause);
  return client.request('POST', `${path}/cancel`, undefined, { 'Idempotency-Key': created.body.id });
}

function webhooks(event: string, taskId: string) {
  return client.receiver.received.filter((one) => one.event === event && one.task_id === taskId);
}

test('a task canceled during its call is over at once, and the call ends soon, each with its webhook', async () => {
  const { cancelled, ended } = await eventually('a call that is not over when it is cancelled', async () => {
    const reply = await cancelDuringCall();
    if (reply.status !== 200 || reply.body.calls[0].status !== 'IN_PROGRESS') return null;
    const after = await eventually('the call to end', async () => {
      const { body } = await client.request('GET', `/v1/task/${reply.body.id}?include_result=true`);
      return body.calls[0].status === 'IN_PROGRESS' ? null : body;
    });
    // A call that had come to its end by then was not ended by us.
    return after.calls[0].status === 'SUCCESS' ? null : { cancelled: reply, ended: after };
  });
  const { id, calls } = cancelled.body;
  const [call] = calls;
  expect(cancelled.body).toMatchObject({
    status: 'CANCELLED',
    task_outcome: 'Canceled. 1 call was made.',
  });
  await eventually('task.completed', async () => webhooks('task.completed', id)[0]);
  expect(ended.calls).toMatchObject([{ id: call.id, status: 'CANCELLED' }]);
  expect(ended.calls[0].call_outcome).toMatch(/^The task was cancelled before this call had decided it\. \w/);
  await eventually('call.completed', async () => webhooks('call.completed', id)[0]);

  const { body: later } = await client.request('GET', `/v1/task/${id}`);
  expect(later).toMatchObject({ status: 'CANCELLED', task_outcome: cancelled.body.task_outcome });
  expect(webhooks('task.completed', id)).toMatchObject([{ call_id: call.id, signatureValid: true }]);
  expect(webhooks('call.completed', id)).toMatchObject([{ call_id: call.id, signatureValid: true }]);

  const again = await client.request('POST', `/v1/task/${id}/cancel`, undefined, { 'Idempotency-Key': id });
  expect([again.status, again.body]).toEqual([200, cancelled.body]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const other = await client.request('POST', `/v1/task/${id}/cancel`);
  expect([other.status, other.body]).toEqual([
    409,
    { detail: 'Task is already CANCELLED and cannot be cancelled' },
  ]);
  const listed = await client.request('GET', '/v1/task?status=CANCELLED');
  expect(listed.body.tasks.map((task: { id: string }) => task.id)).toContain(id);
});
