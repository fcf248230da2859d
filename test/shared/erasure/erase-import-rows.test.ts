import { describe, expect, test } from 'vitest';
import { startImport } from '#shared/admin/imports.ts';
import { importRowsCsv } from '#shared/dashboard/forms/import-csv.ts';
import type { Erasure } from '#shared/domain/erasure.ts';
import type { Import, ImportRow } from '#shared/domain/import.ts';
import type { Patient } from '#shared/domain/patient.ts';
import { carryOutErasure } from '#shared/erasure/carry-out-erasure.ts';
import { orderPatientErasure } from '#shared/erasure/order-erasure.ts';
import { carryOutImport } from '#shared/imports/carry-out-import.ts';
import { getErasure } from '#shared/table/erasure.ts';
import { finishPartItems, getImport, getImportPart, importRows } from '#shared/table/import.ts';
import { listProjectPatients } from '#shared/table/patient.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { dyingTable } from '../../support/dying.ts';
import { forThisFile } from '../../support/lifetime.ts';
import {
  carryOut,
  csv,
  finish,
  type ImportSite,
  made,
  people,
  servicesOf,
  startImportSites,
  upload,
} from '../imports/import-site.ts';

const fixture = await callFixtureForThisFile();
const sites = await forThisFile(startImportSites());

const [given0 = [], given1 = []] = people(2);
const change = (row: readonly string[], cells: Readonly<Record<number, string>>): string[] =>
  row.map((cell, at) => cells[at] ?? cell);
const badNumber = { 7: '12345' };
const noId = { 0: '' };

async function findGiven0({ table, access }: ImportSite): Promise<Patient | null> {
  const { items } = await listProjectPatients(table, access.project.id, { limit: 500, before: null });
  return items.find(({ first_name }) => first_name === 'Given0') ?? null;
}

/** Orders the erasure of the first patient of the import's file. */
async function orderGiven0(site: ImportSite): Promise<Erasure> {
  const patient = await findGiven0(site);
  if (patient === null) throw new Error('there is no such patient');
  const { id, project_id: projectId } = patient;
  return orderPatientErasure(site.table, { projectId, id, requestedBy: 'person' });
}

/** Does so, and works like the queue until the receipt is done. */
async function eraseGiven0(site: ImportSite): Promise<void> {
  await workOff(site, await orderGiven0(site));
}

async function workOff({ table }: ImportSite, { id }: Erasure): Promise<void> {
  // Later than the last search for tasks.
  const services = { ...fixture.services, table, now: () => new Date(Date.now() + 10 * 60_000) };
  for (let rounds = 0; rounds < 5; rounds += 1) await carryOutErasure(services, id);
  const receipt = await getErasure(table, id);
  expect(receipt).toMatchObject({ status: 'DONE' });
  for (const hashes of ['known_as', 'row_keys']) expect(receipt).not.toHaveProperty(hashes);
}

async function rowsOf({ table }: ImportSite, one: Import): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  for await (const page of importRows(table, one)) rows.push(...page);
  return rows;
}

describe('36: erasing a patient empties the rows of imports', () => {
  test('that were wrong or refused, however they name the patient, and no others', async () => {
    const site = await sites.newSite();
    const wrong = [
      change(given0, badNumber),
      change(given0, { ...badNumber, ...noId }),
      // Names the patient, but not by a date that can be read.
      change(given0, { ...noId, 3: '31/31/1984' }),
    ];
    const others = [given1, change(given1, badNumber), change(given0, { ...badNumber, 0: 'MRN-9' })];
    const one = await carryOut(site, await upload(site, csv([given0, ...wrong, ...others])));
    await eraseGiven0(site);
    const rows = await rowsOf(site, one);
    expect(rows.map(({ cells }) => cells[1] ?? null)).toEqual([
      null,
      null,
      null,
      null,
      null,
      'Given1',
      'Given0',
    ]);
    const stored = JSON.stringify(rows.slice(0, 4));
    for (const cell of [...given0.slice(0, 5), given0[6] ?? '', '12345', '31/31']) {
      expect(stored).not.toContain(cell);
    }
    expect(importRowsCsv.results(rows)).toContain('3,Skipped,,,The patient was erased');
    expect(rows[0]?.outcome).toMatchObject({ patient_id: null, task_id: null });
  });

  test('that have not been imported yet, which are then skipped', async () => {
    const site = await sites.newSite();
    const again = (goal: string) => change(given0, { 6: goal });
    // Checked before the patient existed, and after.
    const early = await upload(site, csv([given0, given1]));
    await carryOut(site, await upload(site, csv([again('Find an evening slot.')])));
    const late = await upload(site, csv([given1, again('Ask for a letter.')]));
    await eraseGiven0(site);
    for (const one of [early, late]) {
      const found = await getImport(site.table, one, new Date());
      if (found === null) throw new Error('the import is gone');
      expect(found.bad_rows).toBe(1);
      const done = await carryOut(site, found);
      expect(done).toMatchObject({ status: 'done', rows_done: 2, counts: { refused: 0 } });
      expect(JSON.stringify(await rowsOf(site, done))).not.toContain('Given0');
    }
    const page = { limit: 9, before: null };
    const { items } = await listProjectPatients(site.table, site.access.project.id, page);
    expect(items.map(({ first_name }) => first_name)).toEqual(['Given1']);
  });

  test.each([
    ['before the erasure begins', given0, false],
    ['after it began', change(given0, noId), true],
  ])('that an import in progress reaches %s', async (_, row, hasBegun) => {
    const site = await sites.newSite();
    // The last row is in another part.
    const one = await upload(
      site,
      csv([given0, ...people(30).slice(1), change(row, { 6: 'Ask for a letter.' })]),
    );
    await startImport(site.table, site.access, one);
    let order: Erasure | null = null;
    let isWaiting = true;
    const table = dyingTable(site.table, async (work) => {
      const result = await work();
      const isThere = isWaiting && (await findGiven0(site)) !== null;
      if (!isThere || !isWaiting) return result;
      isWaiting = false;
      order = await orderGiven0(site);
      if (hasBegun)
        await carryOutErasure({ ...fixture.services, table: site.table, now: () => new Date() }, order.id);
      return result;
    });
    await carryOutImport(servicesOf({ ...site, table }), one);
    expect((await finish(site, one)).status).toBe('done');
    if (order === null) throw new Error('nothing was ordered');
    await workOff(site, order);
    expect(await findGiven0(site)).toBeNull();
    const rows = await rowsOf(site, one);
    expect(
      rows.map(({ cells, problems, outcome }) => [cells, problems.length, outcome?.refusal ?? null]).at(-1),
    ).toEqual(hasBegun ? [[], 1, null] : [[], 0, 'The patient was erased.']);
    expect(await made(site)).toEqual({ patients: 29, tasks: 29 });
  });

  test('for good, even if a worker read them before', async () => {
    const site = await sites.newSite();
    await carryOut(site, await upload(site, csv([given0])));
    const one = await upload(site, csv([change(given0, badNumber), given1]));
    const read = await getImportPart(site.table, one, 0);
    await eraseGiven0(site);
    const late = writeTransaction(site.table, finishPartItems(site.table, one, read, one.counts));
    await expect(late).rejects.toThrow('condition');
    expect((await carryOut(site, one)).status).toBe('done');
    expect(JSON.stringify(await rowsOf(site, one))).not.toContain('Given0');
  });
});
