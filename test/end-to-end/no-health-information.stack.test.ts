import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventMetrics } from '#shared/observability/metrics.ts';
import { eventually, newTestClient, stack, stackTable, type TestClient } from '../support/stack.ts';

let client: TestClient;

beforeAll(async () => {
  client = await newTestClient({ redialPolicy: { max_attempts: 1, delays_seconds: [0] } });
});

afterAll(() => client.stop());

/** Values that occur nowhere else, so that finding one anywhere means that it leaked. */
const canaries = {
  first_name: 'Zephyrine',
  last_name: 'Quackenbush',
  date_of_birth: '1971-11-29',
  phone_number: '+12025550188',
  email: 'zq.canary@example.com',
  street_name: '4711 Canary Crossing',
  member_id: 'CANARY8837465',
  task: 'Ask about the tonsillectomy of the canary.',
  context: 'History of hyperbolic canaritis.',
};

async function newCanaryTask(phoneNumber: string, taskType: string): Promise<string> {
  const patient = await client.request('POST', '/v1/patient', {
    project_id: client.projectId,
    first_name: canaries.first_name,
    last_name: canaries.last_name,
    date_of_birth: canaries.date_of_birth,
    phone_number: canaries.phone_number,
    email: canaries.email,
    address: {
      street_name: canaries.street_name,
      city: 'Springfield',
      state: 'IL',
      postal_code: '62704',
      country_code: 'US',
    },
    insurance: { medical: [{ member_id: canaries.member_id }] },
  });
  expect(patient.status).toBe(201);
  const created = await client.request('POST', '/v1/task', {
    project_id: client.projectId,
    patient_id: patient.body.id,
    task_type: taskType,
    task: canaries.task,
    phone_number: phoneNumber,
    task_data: { additional_context: canaries.context },
  });
  expect(created.status).toBe(201);
  return created.body.id;
}

test('no log line and no webhook contains patient data: calls succeed or fail, requests are invalid', async () => {
  const spoken = new Set<string>();
  const tasks = await Promise.all([
    newCanaryTask('+12025550100', 'SCHEDULE_APPOINTMENT'),
    newCanaryTask('+12025550101', 'VERIFY_INSURANCE'),
    newCanaryTask('+12025550102', 'REIMBURSEMENT'),
    newCanaryTask('+12025550110', 'CUSTOM_TASK'),
  ]);
  for (const id of tasks) {
    const view = await eventually('the task to end', async () => {
      const { body } = await client.request('GET', `/v1/task/${id}?include_transcript=true`);
      return ['PENDING', 'IN_PROGRESS'].includes(body.status) ? null : body;
    });
    for (const call of view.calls) {
      for (const turn of call.transcripts ?? []) if (turn.content.length > 12) spoken.add(turn.content);
    }
    await eventually('task.completed', async () =>
      client.receiver.received.find((one) => one.task_id === id),
    );
  }
  expect(spoken.size).toBeGreaterThan(10);

  for (const body of [
    JSON.stringify({ ...canaries, project_id: client.projectId, phone_number: 'not a number' }),
    JSON.stringify(canaries).slice(0, -5),
    JSON.stringify({ ...canaries, project_id: client.projectId, address: canaries.street_name }),
  ]) {
    for (const path of ['/v1/patient', '/v1/task']) {
      const refused = await client.request('POST', path, body);
      expect(refused.status).toBe(400);
      for (const canary of Object.values(canaries))
        expect(JSON.stringify(refused.body)).not.toContain(canary);
    }
  }
  await client.request('GET', `/v1/patient/${encodeURIComponent(canaries.last_name)}`);
  const inQuery = encodeURIComponent(canaries.last_name);
  for (const query of [
    `status=${inQuery}`,
    `patient_id=${inQuery}`,
    `cursor=${inQuery}`,
    `limit=${inQuery}`,
  ]) {
    const refused = await client.request('GET', `/v1/task?${query}`);
    expect([refused.status, JSON.stringify(refused.body).includes(canaries.last_name)]).toEqual([400, false]);
  }
  for (const path of ['/v1/task', '/v1/patient']) {
    const page = await client.request('GET', `${path}?limit=2`);
    expect(page.headers.get('link')).toMatch(/^<[^<>]+\?limit=2&cursor=[\w-]+>; rel="next"$/);
  }
  // A client's keys may contain what they are about.
  const keyed = { 'Idempotency-Key': canaries.email };
  expect((await client.request('POST', `/v1/task/${tasks[0]}/cancel`, canaries, keyed)).status).toBe(409);
  const [patient] = (await client.request('GET', '/v1/patient?limit=1')).body.patients;
  expect((await client.request('POST', '/v1/patient', patient, keyed)).status).toBe(201);
  expect((await client.request('POST', '/v1/patient', patient, keyed)).status).toBe(201);
  expect((await client.request('POST', '/v1/patient', { ...patient, first_name: 'Ada' }, keyed)).status).toBe(
    422,
  );

  const log = await readFile(join(stack().dataDirectory, 'functions.log'), 'utf8');
  expect(log).toContain('"event":"request"');
  // The search includes the lines that are metrics. Only a language model counts tokens.
  for (const [event, { units }] of Object.entries(eventMetrics)) {
    if (event === 'language-model-turn') continue;
    for (const name of Object.keys(units)) {
      const isMetric = (line: string): boolean =>
        line.includes(`"event":"${event}"`) && line.includes(`{"Name":"${name}"`);
      expect(log.split('\n').some(isMetric), name).toBe(true);
    }
  }
  for (const secret of [...Object.values(canaries), '+12025550100', client.apiKey, ...spoken]) {
    expect(log.includes(secret), `the log holds: ${secret}`).toBe(false);
  }
  for (const webhook of client.receiver.received) {
    expect(Object.keys(webhook).sort()).toEqual([
      'call_id',
      'event',
      'signatureValid',
      'task_id',
      'timestamp',
    ]);
  }
  // 55: what the table stores of it is sealed.
  const { stored, name } = stackTable();
  const items: string[] = [];
  for await (const { Items = [] } of paginateScan({ client: stored }, { TableName: name })) {
    // Other tests have projects without a key.
    const own = Items.filter(({ project_id: id = client.projectId }) => id === client.projectId);
    items.push(...own.map((item) => textOf(item)));
  }
  expect(items.length).toBeGreaterThan(20);
  for (const secret of [...Object.values(canaries), ...spoken]) {
    expect(
      items.filter((item) => item.includes(secret)).map((item) => item.slice(0, 300)),
      `the table holds: ${secret}`,
    ).toEqual([]);
  }
});

function textOf(item: object): string {
  return JSON.stringify(item, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}
