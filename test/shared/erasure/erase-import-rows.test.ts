import { describe, expect, test } from 'vitest';
import { importRowsCsv } from '#shared/dashboard/forms/import-csv.ts';
import type { Import, ImportRow } from '#shared/domain/import.ts';
import { carryOutErasure } from '#shared/erasure/carry-out-erasure.ts';
import { orderPatientErasure } from '#shared/erasure/order-erasure.ts';
import { getErasure } from '#shared/table/erasure.ts';
import { finishPartItems, getImport, getImportPart, importRows } from '#shared/table/import.ts';
import { listProjectPatients } from '#shared/table/patient.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { carryOut, csv, type ImportSite, people, startImportSites, upload } from '../imports/import-site.ts';

const fixture = await callFixtureForThisFile();
const sites = await forThisFile(startImportSites());

const [given0 = [], given1 = []] = people(2);
const change = (row: readonly string[], cells: Readonly<Record<number, string>>): string[] =>
  row.map((cell, at) => cells[at] ?? cell);
const badNumber = { 7: '12345' };
const noId = { 0: '' };

/** Erases the first patient of the import's file, and works like the queue until the receipt is done. */
async function eraseGiven0({ table, access }: ImportSite): Promise<void> {
  const projectId = access.project.id;
  const { items } = await listProjectPatients(table, projectId, { limit: 9, before: null });
  const patient = items.find(({ first_name }) => first_name === 'Given0');
  if (patient === undefined) throw new Error('there is no such patient');
  const { id } = await orderPatientErasure(table, { projectId, id: patient.id, requestedBy: 'person' });
  // Later than the last search for tasks.
  const services = { ...fixture.services, table, now: () => new Date(Date.now() + 10 * 60_000) };
  for (let rounds = 0; rounds < 5; rounds += 1) await carryOutErasure(services, id);
  const receipt = await getErasure(table, id);
  expect(receipt).toMatchObject({ status: 'DONE' });
  expect(receipt).not.toHaveProperty('known_as');
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
