import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createItem } from '#shared/table/create-item.ts';
import { patientKey, putPatient } from '#shared/table/patient.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile, forThisTest } from '../../support/lifetime.ts';
import { samplePatient, sampleProject } from '../../support/sample-tasks.ts';
import { losingFirstAnswer, startTableProxy } from '../../support/table-proxy.ts';

const embedded = await forThisFile(startEmbeddedTable());
const { table } = embedded;

/** A table whose first write is given up by its writer and arrives only when the test lets it. */
async function withLateFirstTry() {
  let arrive: (() => Promise<void>) | null = null;
  const proxy = await forThisTest(
    startTableProxy(embedded, async (operation, forward, response) => {
      if (arrive !== null || operation !== 'PutItem') return forward();
      arrive = forward;
      response.destroy();
    }),
  );
  return { late: proxy.table, arrive: () => arrive?.() };
}

test('an item is created by a retry after a lost response', async () => {
  const lossy = await forThisTest(startTableProxy(embedded, losingFirstAnswer()));
  await expect(createItem(lossy.table, { pk: 'lost', sk: 'ITEM' })).resolves.toBeUndefined();
});

test('an item that exists is not replaced', async () => {
  const item = { pk: 'taken', sk: 'ITEM' };
  await createItem(table, { ...item, by: 'somebody' });
  await expect(createItem(table, { ...item, by: 'somebody else' })).rejects.toThrow('conditional');
});

test('a late first attempt undoes nothing that happened since', async () => {
  const { late, arrive } = await withLateFirstTry();
  const patient = samplePatient(sampleProject());
  await putPatient(late, patient);
  const Key = patientKey(patient.id);
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key,
      UpdateExpression: 'SET updated_at = :later',
      ExpressionAttributeValues: { ':later': '2030-01-01T00:00:00.000Z' },
    }),
  );
  await arrive();
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key }));
  expect(Item?.updated_at).toBe('2030-01-01T00:00:00.000Z');
});
