import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { eventually, newTestClient, stack, type TestClient } from '../support/stack.ts';

let client: TestClient;
beforeAll(async () => {
  client = await newTestClient();
});
afterAll(() => client.stop());

test('the log shows everything by task ID, from creation to webhook', async () => {
  const project_id = client.projectId;
  const patient = await client.request('POST', '/v1/patient', { project_id, ...demoPatient });
  const task = await client.request('POST', '/v1/task', {
    project_id,
    patient_id: patient.body.id,
    task_type: 'VERIFY_INSURANCE',
    task: 'Ask for the copay.',
    phone_number: '+12025550101',
  });
  const taskId: string = task.body.id;
  await eventually('task.completed', async () =>
    client.receiver.received.find((one) => one.task_id === taskId && one.event === 'task.completed'),
  );
  await eventually('both functions that answer to be warmed', async () => {
    const log = await readFile(join(stack().dataDirectory, 'functions.log'), 'utf8');
    const warmed = log.split('\n').filter((line) => line.includes('"event":"warm-up"'));
    return ['carrier-callback', 'voice-agent'].every((name) => warmed.some((line) => line.includes(name)));
  });
  const expected = [
    // create-task
    'request POST /v1/task',
    // call-runner
    'queue-message dial',
    'queue-message carrier-event',
    'call-claimed dial',
    // carrier-callback
    'request POST /carrier/{callback+}',
    // voice-agent
    'socket-event MESSAGE',
    'turn MESSAGE',
    // webhook-fanout, webhook-delivery
    'stream-record MODIFY',
    'webhook-attempt',
  ];
  let missing = expected;
  await eventually(
    'the last line',
    async () => {
      const log = await readFile(join(stack().dataDirectory, 'functions.log'), 'utf8');
      const kinds = log
        .split('\n')
        .filter((line) => line.includes(`"task_id":"${taskId}"`))
        .map((line) => JSON.parse(line.slice(line.indexOf('{'))))
        .map(({ event, method, resource, kind, socket_event, event_name }) =>
          [event, method, resource, kind ?? socket_event ?? event_name].filter(Boolean).join(' '),
        );
      missing = expected.filter((kind) => !kinds.includes(kind));
      return missing.length === 0 ? kinds : null;
    },
    10_000,
  ).catch(() => null);
  expect(missing).toEqual([]);
});
