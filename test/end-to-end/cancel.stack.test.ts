import { setTimeout } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { putPersonas } from '#shared/sandbox-phone/personas/own-personas.ts';
import { freshForMs } from '#shared/sandbox-phone/personas/persona-bucket.ts';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { eventually, newTestClient, stack, type TestClient, withoutPause } from '../support/stack.ts';

/** Announces for four hours, so that even a busy machine cancels the call long before a person would answer. */
const holds = PersonaFile.parse({
  id: 'announces-for-hours',
  about: 'An insurer that puts callers on hold for four hours.',
  numbers: ['+12025550178'],
  name: 'Tessa',
  business: 'Example Health Plan',
  voice: 'rms',
  greeting: ['Thank you for holding, this is {name} with {business}. Go ahead, please.'],
  desks: [{ borrowed_from: 'insurer-provider-line' }],
  line: {
    first: 'queue',
    stages: {
      queue: {
        kind: 'hold',
        ms: [14_400_000, 14_400_000],
        every_ms: 1000,
        to: 'person',
        announcements: ['Please stay on the line.'],
      },
    },
  },
});

let client: TestClient;
let patientId: string;

beforeAll(async () => {
  const { endpoints, outputs } = stack();
  const s3 = new S3Client({
    endpoint: endpoints.s3,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    forcePathStyle: true,
  });
  await putPersonas({ client: s3, name: String(outputs.SandboxBucketName) }, [holds]);
  // Another test's call may have cached the previous personas, and one of them would answer.
  await setTimeout(freshForMs);
  // The longest that a project may allow: the agent gives up a hold before this person answers.
  const longest = 6_600;
  client = await newTestClient({
    callPolicy: {
      max_hold_seconds: longest,
      shared_line_max_hold_seconds: longest,
      max_call_seconds: longest,
    },
  });
  const created = await client.request('POST', '/v1/patient', {
    project_id: client.projectId,
    ...demoPatient,
  });
  patientId = created.body.id;
});

afterAll(() => client.stop());

function webhooks(event: string, taskId: string) {
  return client.receiver.received.filter((one) => one.event === event && one.task_id === taskId);
}

test('a canceled task ends at once, and its call soon after, each with its webhook', async () => {
  const created = await client.request('POST', '/v1/task', {
    project_id: client.projectId,
    patient_id: patientId,
    task_type: 'VERIFY_INSURANCE',
    task: 'Ask for the copay.',
    phone_number: holds.numbers[0],
  });
  const { id } = created.body;
  const isUnderWay = async () => {
    const { body } = await client.request('GET', `/v1/task/${id}`);
    return body.status === 'PENDING' ? null : body;
  };
  await eventually('the call to be under way', isUnderWay, 90_000, withoutPause);
  const cancelled = await client.request('POST', `/v1/task/${id}/cancel`, undefined, {
    'Idempotency-Key': id,
  });
  expect(cancelled).toMatchObject({ status: 200, body: { calls: [{ status: 'IN_PROGRESS' }] } });
  const ended = await eventually('the call to end', async () => {
    const { body } = await client.request('GET', `/v1/task/${id}?include_result=true`);
    return body.calls[0].status === 'IN_PROGRESS' ? null : body;
  });
  const [call] = cancelled.body.calls;
  expect(cancelled.body).toMatchObject({
    status: 'CANCELLED',
    task_outcome: 'Canceled. 1 call was made.',
  });
  await eventually('task.completed', async () => webhooks('task.completed', id)[0]);
  expect(ended.calls).toMatchObject([{ id: call.id, status: 'CANCELLED' }]);
  expect(ended.calls[0].call_outcome).toMatch(/^The task was canceled before this call decided it\. \w/);
  await eventually('call.completed', async () => webhooks('call.completed', id)[0]);

  const { body: later } = await client.request('GET', `/v1/task/${id}`);
  expect(later).toMatchObject({ status: 'CANCELLED', task_outcome: cancelled.body.task_outcome });
  expect(webhooks('task.completed', id)).toMatchObject([{ call_id: call.id, signatureValid: true }]);
  expect(webhooks('call.completed', id)).toMatchObject([{ call_id: call.id, signatureValid: true }]);

  const again = await client.request('POST', `/v1/task/${id}/cancel`, undefined, { 'Idempotency-Key': id });
  const { task_outcome } = cancelled.body;
  expect(again).toMatchObject({
    status: 200,
    body: { id, status: 'CANCELLED', task_outcome, calls: [{ status: 'CANCELLED' }] },
  });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const other = await client.request('POST', `/v1/task/${id}/cancel`);
  expect([other.status, other.body]).toEqual([
    409,
    { detail: 'Task is already CANCELLED and cannot be cancelled' },
  ]);
  const listed = await client.request('GET', '/v1/task?status=CANCELLED');
  expect(listed.body.tasks.map((task: { id: string }) => task.id)).toContain(id);
});
