import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataKeyOpener } from '#shared/encryption/kms-data-key.ts';
import { openTable } from '#shared/table/client.ts';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { kmsClient } from '../support/embedded-secrets.ts';
import { scanTable } from '../support/scan-table.ts';
import { eventually, newTestClient, stack, type TestClient } from '../support/stack.ts';

let client: TestClient;
beforeAll(async () => {
  client = await newTestClient();
});
afterAll(() => client.stop());

/** Occurs nowhere but with this patient. */
const canary = 'Featherstonehaugh';

/** Everything that one of the stack's tables holds. */
async function contentsOf(tableName: unknown): Promise<string> {
  const { endpoints } = stack();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const dynamodb = new DynamoDBClient({ endpoint: endpoints.dynamodb, region: 'us-east-1', credentials });
  const kms = kmsClient(endpoints.kms);
  const table = openTable(String(tableName), dynamodb, dataKeyOpener(kms));
  const items = await scanTable(table);
  dynamodb.destroy();
  kms.destroy();
  return JSON.stringify(items);
}

test('a patient who is erased has left the service and the telephone carrier, and the receipt says so', async () => {
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
  expect(await contentsOf(stack().outputs.TableName)).toContain(canary);

  const erased = await client.request('DELETE', `/v1/patient/${registered.body.id}`);
  expect([erased.status, erased.body.status]).toEqual([202, 'PENDING']);
  await eventually(
    'the erasure to be done',
    async () => {
      const { body } = await client.request('GET', `/v1/erasure/${registered.body.id}`);
      return body.status === 'DONE' ? body : null;
    },
    240_000,
  );

  expect((await client.request('GET', `/v1/task/${created.body.id}`)).status).toBe(404);
  expect((await client.request('GET', `/v1/call/${call.id}/recording`)).status).toBe(404);
  expect(await contentsOf(stack().outputs.TableName)).not.toContain(canary);
}, 300_000);
