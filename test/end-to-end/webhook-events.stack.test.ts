import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { WebhookEventName } from '#shared/domain/webhook.ts';
import { TaskResource } from '#shared/tasks/task-resource.ts';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { startTestServer, type TestServer } from '../support/http-server.ts';
import { eventually, newTestClient, signInAtStack, stack, type TestClient } from '../support/stack.ts';

const FullEvent = z.strictObject({
  event: WebhookEventName,
  task_id: z.string(),
  call_id: z.nullable(z.string()),
  timestamp: z.string(),
  sequence: z.int(),
  task: TaskResource,
});

/** Occurs nowhere else. */
const canary = 'Ask about the appendectomy of Quillon.';

let client: TestClient;
let receiver: TestServer;
let token: string;

beforeAll(async () => {
  token = await signInAtStack('owner');
  client = await newTestClient({
    members: [{ email: 'owner@clinic.example.com', role: 'owner' }],
    redialPolicy: { max_attempts: 1, delays_seconds: [0] },
  });
  // Echoes its requests, as some receivers do.
  receiver = await startTestServer((request, response) => void response.writeHead(200).end(request.body));
});

afterAll(async () => {
  await receiver.stop();
  await client.stop();
});

async function manage(method: string, path: string, body?: unknown) {
  const response = await fetch(`${stack().baseUrl}/admin/projects/${client.projectId}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: Object(await response.json()) };
}

test('an endpoint for all events and the whole task gets each once, with a sequence', async () => {
  const added = await manage('POST', '/webhooks', {
    url: `${receiver.origin}/events`,
    events: WebhookEventName.options,
    payload: 'full',
  });
  expect(added.status).toBe(201);
  const verifier = new Webhook(added.body.signing_secret);
  const patient = await client.request('POST', '/v1/patient', {
    project_id: client.projectId,
    ...demoPatient,
  });
  const newTask = async (phoneNumber: string): Promise<string> => {
    const created = await client.request('POST', '/v1/task', {
      project_id: client.projectId,
      patient_id: patient.body.id,
      task_type: 'CUSTOM_TASK',
      task: canary,
      phone_number: phoneNumber,
      external_id: phoneNumber,
      metadata: { ward: 'B' },
    });
    expect(created.status).toBe(201);
    return created.body.id;
  };
  const [answered, unassigned] = [await newTask('+12025550103'), await newTask('+12025550113')];

  const eventsOf = (taskId: string) =>
    receiver.requests
      .map(({ body, headers }) => {
        const signed = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, String(value)]),
        );
        return { id: signed['webhook-id'], ...FullEvent.parse(verifier.verify(body, signed)) };
      })
      .filter(({ task_id }) => task_id === taskId)
      .toSorted((one, other) => one.sequence - other.sequence);
  const told = async (taskId: string, last: readonly string[]) =>
    eventually('all events', async () => {
      const events = eventsOf(taskId);
      return last.every((name) => events.some(({ event }) => event === name)) ? events : null;
    });

  const ends = ['call.completed', 'task.completed', 'call.started', 'task.started'];
  const story = await told(answered, ends);
  const names = story.map(({ event }) => event);
  expect(names.filter((name) => name !== 'task.needs_review')).toEqual([
    'task.started',
    'call.started',
    'call.completed',
    'task.completed',
  ]);
  expect(new Set(story.map(({ id }) => id)).size).toBe(story.length);
  const times = story.map(({ timestamp }) => timestamp);
  expect(times.toSorted()).toEqual(times);
  expect(story.at(-1)?.task).toMatchObject({
    id: answered,
    status: 'COMPLETED',
    task: canary,
    external_id: '+12025550103',
    metadata: { ward: 'B' },
    calls: [{ status: 'SUCCESS' }],
  });
  const failure = await told(unassigned, [...ends, 'call.failed']);
  expect(failure.map(({ event }) => event)).toEqual([
    'task.started',
    'call.started',
    'call.failed',
    'call.completed',
    'task.completed',
  ]);

  // The endpoint with the two default events gets what it always got.
  const usual = await eventually('the usual events', async () => {
    const received = client.receiver.received.filter(({ task_id }) => task_id === answered);
    return received.length >= 2 ? received : null;
  });
  expect(usual.map(({ event }) => event).sort()).toEqual(['call.completed', 'task.completed']);

  const log = await readFile(join(stack().dataDirectory, 'functions.log'), 'utf8');
  expect(log).toContain('"event":"webhook-attempt"');
  expect(log).not.toContain('appendectomy');

  const usage = await eventually('the usage of both tasks', async () => {
    const { status, body } = await manage('GET', '/usage');
    expect(status).toBe(200);
    return body.total.calls_placed === 2 ? body : null;
  });
  expect(usage.total).toMatchObject({
    tasks_created: 2,
    tasks_completed: 1,
    tasks_failed: 1,
    calls_answered: 1,
    estimated_cost: { carrier: 0 },
  });
  expect(usage.total.minutes).toBeGreaterThan(0);
  expect(usage.total.estimated_cost.aws).toBeGreaterThan(0);
});

test('an endpoint that answers slowly does not delay another', async () => {
  const held: ServerResponse[] = [];
  const slow = await startTestServer((_, response) => void held.push(response));
  try {
    const [slowHook, fastHook] = await Promise.all(
      [slow.origin, `${receiver.origin}/fast`].map((url) => manage('POST', '/webhooks', { url })),
    );
    const send = (hook: typeof slowHook) => manage('POST', `/webhooks/${hook?.body.id}/test`);
    for (let count = 0; count < 10; count += 1) expect((await send(slowHook)).status).toBe(202);
    await eventually('ten attempts at the slow endpoint', async () => (held.length === 10 ? true : null));
    await send(fastHook);
    await eventually('the webhook of the other', async () =>
      receiver.requests.some(({ url }) => url === '/fast') ? true : null,
    );
    expect(held.filter(({ writableEnded }) => writableEnded)).toEqual([]);
  } finally {
    for (const response of held) response.writeHead(200).end();
    await slow.stop();
  }
});
