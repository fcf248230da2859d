import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { runProcessOn } from '../support/command-run.ts';
import { type ApiResponse, eventually, newTestClient, stack, type TestClient } from '../support/stack.ts';

/** A front desk that asks not to be called again. */
const number = '+12025550120';

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

async function endOfTask(): Promise<ApiResponse['body']> {
  const created = await client.request('POST', '/v1/task', {
    project_id: client.projectId,
    patient_id: patientId,
    task_type: 'SCHEDULE_APPOINTMENT',
    task: 'Schedule a check-up.',
    phone_number: number,
  });
  return eventually('the task to end', async () => {
    const path = `/v1/task/${created.body.id}?include_all_calls=true&include_result=true`;
    const { body } = await client.request('GET', path);
    return ['PENDING', 'IN_PROGRESS'].includes(body.status) ? null : body;
  });
}

function optOuts(...args: string[]) {
  const { endpoints, outputs } = stack();
  const where = ['--table', String(outputs.TableName), '--project', client.projectId];
  return runProcessOn({ endpoint: endpoints.dynamodb, kmsEndpoint: endpoints.kms }, 'opt-outs', [
    ...where,
    ...args,
  ]);
}

test('an opted-out number is not called again until a person lifts it', async () => {
  const first = await endOfTask();
  expect(first).toMatchObject({ status: 'FAILED', result: { ending: 'opted-out', goal_reached: false } });

  const second = await endOfTask();
  expect(second).toMatchObject({ status: 'FAILED', calls: [], has_more_calls: false, result: null });
  expect(second.task_outcome).toMatch(
    /^The number asked not to be called again on [A-Z][a-z]+ \d{1,2}, \d{4}\. Lift the opt-out to call it\.$/,
  );
  await eventually('task.completed', async () =>
    client.receiver.received.find(
      ({ event, task_id }) => event === 'task.completed' && task_id === second.id,
    ),
  );

  const [call] = first.calls;
  expect(JSON.parse((await optOuts()).stdout)).toMatchObject({
    opt_outs: [{ phone_number: number, task_id: first.id, call_id: call.id }],
  });
  expect((await optOuts('--lift', number, '--reason', 'They called back.')).exitCode).toBe(0);
  const third = await endOfTask();
  expect(third.calls).toHaveLength(1);
  // Webhooks of the second task: one, without a call.
  expect(client.receiver.received.filter(({ task_id }) => task_id === second.id)).toMatchObject([
    { event: 'task.completed', call_id: null, signatureValid: true },
  ]);
});
