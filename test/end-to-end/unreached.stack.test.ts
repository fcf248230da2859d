import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getTaskWithCalls } from '#shared/table/task.ts';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { eventually, newTestClient, stackTable, sweep, type TestClient } from '../support/stack.ts';

let client: TestClient;
let patientId: string;

beforeAll(async () => {
  client = await newTestClient({ redialPolicy: { max_attempts: 2, delays_seconds: [0] } });
  const created = await client.request('POST', '/v1/patient', {
    project_id: client.projectId,
    ...demoPatient,
  });
  patientId = created.body.id;
});

afterAll(() => client.stop());

async function endOfTaskTo(phoneNumber: string) {
  const created = await client.request('POST', '/v1/task', {
    project_id: client.projectId,
    patient_id: patientId,
    task_type: 'CUSTOM_TASK',
    task: 'Ask about the opening hours.',
    phone_number: phoneNumber,
  });
  expect(created.status).toBe(201);
  return eventually('the task to end', async () => {
    // Redials are due items: a tick of the sweeper's schedule brings them back.
    await sweep();
    const { body } = await client.request('GET', `/v1/task/${created.body.id}?include_all_calls=true`);
    return ['PENDING', 'IN_PROGRESS'].includes(body.status) ? null : body;
  });
}

describe('an unreachable number', () => {
  test.each([
    ['+12025550110', 'BUSY', {}],
    ['+12025550111', 'NO_ANSWER', {}],
    // It contains no health information.
    ['+12025550112', 'VOICEMAIL', { answered_by: 'machine', result: { disclosures: [] } }],
  ])(
    '%s is tried as often as the project says, then the task fails and says why',
    async (number, callStatus, kept) => {
      const task = await endOfTaskTo(number);
      expect(task.status).toBe('FAILED');
      expect(task.task_outcome).toMatch(/^Not reached after 2 calls: \w.{10,}/);
      expect(task.calls.map((call: { status: string }) => call.status)).toEqual([callStatus, callStatus]);
      for (const call of task.calls) {
        // An answering machine is recorded like a person.
        if (callStatus !== 'VOICEMAIL') expect(call.recording_url).toBeNull();
        expect(call.call_outcome).toMatch(/\w/);
        await eventually('call.completed', async () =>
          client.receiver.received.find((one) => one.event === 'call.completed' && one.call_id === call.id),
        );
      }
      const stored = await getTaskWithCalls(stackTable(), task.id, { limit: 2 });
      expect(stored?.calls).toMatchObject([kept, kept]);
      const done = await eventually('task.completed', async () =>
        client.receiver.received.find((one) => one.event === 'task.completed' && one.task_id === task.id),
      );
      expect(done).toMatchObject({ call_id: task.calls[0].id, signatureValid: true });
    },
  );

  test('+12025550113 is not in service, so it is not redialed', async () => {
    const task = await endOfTaskTo('+12025550113');
    expect(task).toMatchObject({ status: 'FAILED', has_more_calls: false });
    expect(task.calls).toHaveLength(1);
    expect(task.calls[0].status).toBe('FAILED');
  });
});
