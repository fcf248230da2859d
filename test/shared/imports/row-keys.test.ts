import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { samePersonKey } from '#shared/domain/names.ts';
import { isSealed } from '#shared/encryption/seal.ts';
import { carryOutErasure } from '#shared/erasure/carry-out-erasure.ts';
import { orderPatientErasure } from '#shared/erasure/order-erasure.ts';
import { patientRowKey } from '#shared/imports/row-keys.ts';
import { deleteItem } from '#shared/table/delete-items.ts';
import { getImportPart } from '#shared/table/import.ts';
import { listProjectPatients } from '#shared/table/patient.ts';
import { expiresIn } from '#shared/table/time-to-live.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { forThisFile } from '../../support/lifetime.ts';
import {
  carryOut,
  csv,
  type ImportSite,
  made,
  people,
  required,
  startImportSites,
  upload,
} from './import-site.ts';

const fixture = await callFixtureForThisFile();
const sites = await forThisFile(startImportSites());
let site: ImportSite;
let partition: string;
beforeEach(async () => {
  site = await sites.newSite();
  partition = `IDEMPOTENCY#${site.access.project.id}#IMPORT#`;
});

const [row = []] = people(1);
const withoutId = ['', ...row.slice(1)];
const person = samePersonKey({ first_name: 'Given0', last_name: 'Example', date_of_birth: '1984-07-12' });

/** As AWS would see them. */
async function storedResults(): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const { stored: client, name: TableName } = site.table;
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) found.push(...Items);
  return found.filter(({ pk }) => String(pk).startsWith(partition));
}

function put(item: Record<string, unknown>): Promise<unknown> {
  const { stored, name: TableName } = site.table;
  return stored.send(
    new PutCommand({ TableName, Item: { sk: 'IDEMPOTENCY', type: 'idempotency', ...item } }),
  );
}

test("55: results of rows reveal nothing without the project's key", async () => {
  const one = await upload(site, csv([withoutId]));
  const { task } = required((await getImportPart(site.table, one, 0))[0]);
  await carryOut(site, one);
  const stored = await storedResults();
  expect(stored).toHaveLength(2);
  for (const { answer, request_hash } of stored) expect([answer, request_hash].every(isSealed)).toBe(true);
  const keys = stored.map(({ pk }) => String(pk).slice(partition.length));
  expect(keys).not.toContain(patientRowKey('', person));
  expect(keys).not.toContain(task?.key);
});

test('a row imported by an earlier version creates nothing again', async () => {
  const one = await upload(site, csv([row]));
  const { task, number } = required((await getImportPart(site.table, one, 0))[0]);
  const key = task?.key ?? '';
  await carryOut(site, one);
  const { outcome } = required((await getImportPart(site.table, one, 0))[0]);
  for (const { pk, sk } of await storedResults()) {
    await deleteItem(site.table, { pk: String(pk), sk: String(sk) });
  }
  await put({
    pk: `${partition}${key}`,
    request_hash: key,
    answer: JSON.stringify({ id: outcome?.task_id, import_id: one.id, row: number }),
    created_at: one.created_at,
    ...expiresIn(60, Date.now()),
  });
  const again = await upload(site, csv([row]));
  expect(again.expected).toMatchObject({ tasks_created: 0, repeated: 1 });
  const done = await carryOut(site, again);
  expect(done.counts).toMatchObject({ tasks_created: 0, repeated: 1 });
  expect(await made(site)).toEqual({ patients: 1, tasks: 1 });
});

test.each([
  ['with an external ID', row],
  ['without', withoutId],
])("36: a patient's result goes with the patient: %s", async (_, cells) => {
  const { table, access } = site;
  const projectId = access.project.id;
  await carryOut(site, await upload(site, csv([cells])));
  const [patient] = (await listProjectPatients(table, projectId, { limit: 1, before: null })).items;
  const plain = `${partition}${patientRowKey(cells[0] ?? '', person)}`;
  await put({ pk: plain });
  expect(await storedResults()).toHaveLength(3);
  const { id } = await orderPatientErasure(table, {
    projectId,
    id: patient?.id ?? '',
    requestedBy: 'person',
  });
  // The one that cannot be guessed stays until no import can reach such a row.
  expect((await storedResults()).map(({ pk }) => pk)).not.toContain(plain);
  expect(await storedResults()).toHaveLength(2);
  const later = new Date(Date.now() + 10 * 60_000);
  for (let runs = 0; runs < 3; runs += 1) {
    await carryOutErasure({ ...fixture.services, table, now: () => later }, id);
  }
  expect(await storedResults()).toHaveLength(1);
});
