import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { getTaskWithCalls } from '#shared/table/task.ts';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { eventually, newTestClient, stackTable, type TestClient } from '../support/stack.ts';

let client: TestClient;
let patientId: string;

beforeAll(async () => {
  client = await newTestClient({ redialPolicy: { max_attempts: 1 } });
  const created = await client.request('POST', '/v1/patient', {
    project_id: client.projectId,
    ...demoPatient,
  });
  patientId = created.body.id;
});

afterAll(() => client.stop());

/** The stored task after its only call. */
async function taskAfterCall(phoneNumber: string): Promise<{ task: Task; call: Call | undefined }> {
  const created = await client.request('POST', '/v1/task', {
    project_id: client.projectId,
    patient_id: patientId,
    task_type: 'SCHEDULE_APPOINTMENT',
    task: 'Schedule a check-up.',
    task_data: { timeframe_availability: 'any time', patient_status: 'existing' },
    phone_number: phoneNumber,
  });
  expect(created.status).toBe(201);
  const found = await eventually('the task to end', async () => {
    const current = await getTaskWithCalls(stackTable(), created.body.id, { limit: 1 });
    return current !== null && isTerminalTaskStatus(current.task.status) ? current : null;
  });
  return { task: found.task, call: found.calls[0] };
}

test('a menu is detected as a machine, and its person is still reached', async () => {
  const { task, call } = await taskAfterCall('+12025550114');
  expect(call).toMatchObject({ status: 'SUCCESS', answered_by: 'machine' });
  expect(task).toMatchObject({ status: 'COMPLETED', result: { goal_reached: true } });
});

test('a fax machine fails the call with that reason', async () => {
  const { task, call } = await taskAfterCall('+12025550122');
  expect(call).toMatchObject({
    status: 'FAILED',
    answered_by: 'fax',
    call_outcome: 'A fax machine answered.',
  });
  expect(task.status).toBe('FAILED');
  expect(task.task_outcome).toMatch(/^Not reached after .* A fax machine answered\.$/);
});
