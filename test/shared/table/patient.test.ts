import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { patientKey } from '#shared/table/patient.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { samplePatient } from '../../support/sample-tasks.ts';
import { sealTable } from '../../support/sealed-table.ts';
import { storePatient } from '../../support/stored-patients.ts';

const embedded = await forThisFile(startEmbeddedTable());

test('55: a member that a later version adds to a patient is sealed', async () => {
  const sealed = await sealTable(embedded);
  const { project } = await sealed.newProject();
  const patient = { ...samplePatient(project), pronouns: 'Zanzibar' };
  await storePatient(sealed.table, patient);
  const { Items } = await sealed.raw.send(new ScanCommand({ TableName: sealed.table.name }));
  expect(Items?.length).toBeGreaterThan(0);
  expect(JSON.stringify(Items)).not.toMatch(/pronouns|Zanzibar/);
  const Key = patientKey(patient.id);
  const { Item } = await sealed.anew().client.send(new GetCommand({ TableName: sealed.table.name, Key }));
  expect(Item).toMatchObject(patient);
  sealed.stop();
});
