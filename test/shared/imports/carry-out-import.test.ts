import { beforeEach, describe, expect, test } from 'vitest';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import {
  exportImportRows,
  isWrong,
  keepImport,
  readImport,
  readImports,
  startImport,
  stopImport,
} from '#shared/admin/imports.ts';
import { checkImport } from '#shared/dashboard/forms/import-check.ts';
import { readImportFile } from '#shared/dashboard/forms/import-file.ts';
import { carryOutImport } from '#shared/imports/carry-out-import.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { findDue } from '#shared/table/due.ts';
import { removeMemberItem } from '#shared/table/member.ts';
import { getPatient, listProjectPatients } from '#shared/table/patient.ts';
import { replaceProjectItem } from '#shared/table/project.ts';
import { getTask } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { importHeadings } from '../../support/import-rows.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleTime } from '../../support/sample-tasks.ts';
import {
  carryOut,
  csv,
  finish,
  type ImportSite,
  made,
  people,
  problems,
  servicesOf,
  startImportSites,
  upload,
  visit,
} from './import-site.ts';

const sites = await forThisFile(startImportSites());
let site: ImportSite;
let table: Table;
let access: ProjectAccess;
let email: string;
beforeEach(async () => {
  site = await sites.newSite();
  ({ table, access, email } = site);
});
describe('an import', () => {
  test('creates patients and tasks, and no row twice', async () => {
    const done = await carryOut(
      site,
      await upload(site, csv([...people(30), ['', 'Only', 'Patient', '1/2/1990', '202-555-0143']])),
    );
    expect(done).toMatchObject({ status: 'done', rows_done: 31, next_part: 2 });
    expect(done.counts).toMatchObject({ patients_created: 31, tasks_created: 30, refused: 0 });
    expect(await made(site)).toEqual({ patients: 31, tasks: 30 });
    const rows = await exportImportRows(table, access, done);
    expect(rows.every(({ cells, patient, task }) => cells.length === 0 && !patient && !task)).toBe(true);
    const [first] = rows;
    expect(await getPatient(table, first?.outcome?.patient_id ?? '')).toMatchObject({
      external_id: 'MRN-0',
      date_of_birth: '1984-07-12',
      phone_number: '+12025550142',
    });
    const { items } = await listAuditEntries(table, access.project.id, { limit: 100, before: null });
    const doneBy = (action: string) =>
      items.filter(
        (entry) => entry.action === action && 'email' in entry.actor && entry.actor.email === email,
      );
    expect(doneBy('task.created')).toHaveLength(30);
    expect(doneBy('patient.created')).toHaveLength(31);
    expect(doneBy('import.started')).toHaveLength(1);
    expect(JSON.stringify(items)).not.toMatch(/Given|day\.csv|MRN/);
    // The queue's messages say nothing about a person, either.
    expect(JSON.stringify(sites.queues.messages('calls'))).not.toMatch(/Given|Example|MRN|\+1202/);
  });

  test('schedules tasks for the times in their rows', async () => {
    const after = '2099-11-25T09:00:00-08:00';
    const names = [...importHeadings, 'Call after'];
    const one = await upload(site, csv([[...(people(1)[0] ?? []), after]], names));
    const done = await carryOut(site, one);
    const [row] = await exportImportRows(table, access, done);
    expect(await getTask(table, row?.outcome?.task_id ?? '')).toMatchObject({
      call_after: '2099-11-25T17:00:00.000Z',
      next_attempt_at: '2099-11-25T17:00:00.000Z',
    });
  });

  test("of the longest possible rows fits the table's item limit", async () => {
    // A letter of three bytes, in as many rows as a part may have.
    const long = '語'.repeat(3900);
    const rows = people(30).map((cells, at) => [...cells.slice(0, 6), `${at} ${long}`, ...cells.slice(7)]);
    const text = csv(rows);
    expect(Buffer.byteLength(text)).toBeGreaterThan(340_000);
    const one = await upload(site, text);
    expect(one).toMatchObject({ rows: 30, bad_rows: 0 });
    expect(one.parts).toBeGreaterThan(1);
    // Nothing more may be created, so that every row keeps its cells beside its result.
    const next = { ...access.project, enabled_task_types: ['CUSTOM_TASK' as const] };
    await writeTransaction(table, [replaceProjectItem(table, access.project, next)]);
    const done = await carryOut(site, one);
    expect(done).toMatchObject({ status: 'done', rows_done: 30, counts: { refused: 30 } });
    expect((await exportImportRows(table, access, done)).map(({ cells }) => cells[6])).toEqual(
      rows.map((cells) => cells[6]),
    );
  });

  test('continues where it died, without duplicates', async () => {
    const one = await upload(site, csv(people(60)));
    await startImport(table, access, one);
    let sent = 0;
    const startedAt = new Date();
    const dying = {
      // A stopped clock, so that a slow machine does not end the run before the worker dies.
      ...servicesOf(site, () => startedAt),
      table: {
        ...table,
        client: new Proxy(table.client, {
          get: (client, name) =>
            name !== 'send'
              ? Reflect.get(client, name)
              : (command: never) => {
                  sent += 1;
                  if (sent > 150) throw new Error('the worker died');
                  return client.send(command);
                },
        }),
      },
    };
    await expect(carryOutImport(dying, one)).rejects.toThrow('the worker died');
    const midway = await made(site);
    expect(midway.tasks).toBeGreaterThan(0);
    expect(midway.tasks).toBeLessThan(60);
    // The sweeper finds it if the message does not return.
    const inHalfAnHour = new Date(Date.now() + 30 * 60_000).toISOString();
    const due: string[] = [];
    for await (const page of findDue(table, inHalfAnHour)) due.push(...page.map(({ sk }) => sk));
    expect(due).toContain(`IMPORT#${one.id}`);

    await Promise.all([carryOutImport(servicesOf(site), one), carryOutImport(servicesOf(site), one)]);
    const done = await finish(site, one);
    expect(done).toMatchObject({ status: 'done', rows_done: 60 });
    expect(done.counts).toMatchObject({ patients_created: 60, tasks_created: 60, repeated: 0, refused: 0 });
    expect(await made(site)).toEqual({ patients: 60, tasks: 60 });
  });

  test('of the same rows again, alone or among corrected ones, creates only new ones', async () => {
    await carryOut(site, await upload(site, csv(people(3))));
    const [first = [], second = [], third = []] = people(3);
    const again = await upload(
      site,
      csv([
        first,
        // The same call, in a different spelling.
        [...second.slice(0, 7), '+1 202 555 0100'],
        [...third.slice(0, 6), 'Find an evening slot.', '(202) 555-0100'],
        first,
        // The same patient without the identifier, found by name and date of birth.
        ['', 'GIVEN0', 'example', '1984-07-12', '', visit[0] ?? '', 'Ask for a letter.', '(202) 555-0100'],
      ]),
    );
    expect(again.expected).toMatchObject({
      tasks_created: 2,
      repeated: 3,
      patients_created: 0,
      patients_found: 2,
    });
    const done = await carryOut(site, again);
    expect(done.counts).toMatchObject({
      tasks_created: 2,
      repeated: 3,
      patients_created: 0,
      patients_found: 2,
    });
    expect(await made(site)).toEqual({ patients: 3, tasks: 5 });
  });

  test('makes one patient from several rows of the same person, and several from several IDs', async () => {
    const [row = []] = people(1);
    const of = (id: string, goal: string, name = 'Given0') => [
      id,
      name,
      ...row.slice(2, 6),
      goal,
      row[7] ?? '',
    ];
    const one = await upload(
      site,
      csv([
        of('', 'One.'),
        of('MRN-1', 'Two.'),
        of('', 'Three.'),
        of('MRN-2', 'Four.', 'Twin'),
        of('MRN-3', 'Five.', 'Twin'),
      ]),
    );
    const done = await carryOut(site, one);
    expect(done.counts).toMatchObject({
      patients_created: 3,
      patients_found: 0,
      tasks_created: 5,
      refused: 0,
    });
    expect(one.expected).toMatchObject({ patients_created: 3, tasks_created: 5 });
    const [first, second, third] = (await exportImportRows(table, access, done)).map(
      ({ outcome }) => outcome?.patient_id,
    );
    expect([second, third]).toEqual([first, first]);
    expect(await getPatient(table, first ?? '')).toMatchObject({ external_id: 'MRN-1' });

    const unclear = await upload(site, csv([of('', 'Six.', 'Twin'), of('', 'Seven.')]));
    expect(problems(await exportImportRows(table, access, unclear))).toEqual([
      '2 Last name: Several patients have this name and date of birth; enter an external ID',
    ]);
    expect(unclear.expected).toMatchObject({ patients_found: 1, tasks_created: 1 });
  });

  test('stops on request, and continues later', async () => {
    const one = await upload(site, csv(people(60)));
    await startImport(table, access, one);
    await stopImport(table, access, await readImport(table, access, one.id));
    await carryOutImport(servicesOf(site), one);
    expect(await made(site)).toEqual({ patients: 0, tasks: 0 });
    const done = await carryOut(site, await readImport(table, access, one.id));
    expect(done.status).toBe('done');
    expect((await made(site)).tasks).toBe(60);
  });

  test('stops and says why if the person who started it may no longer create tasks', async () => {
    const one = await upload(site, csv(people(2)));
    await startImport(table, access, one);
    const member = { project_id: access.project.id, email, created_at: sampleTime, updated_at: sampleTime };
    await writeTransaction(table, [removeMemberItem(table, { ...member, role: 'staff' })]);
    await carryOutImport(servicesOf(site), one);
    const stopped = await readImport(table, access, one.id);
    expect(stopped.status).toBe('stopped');
    expect(stopped.stopped_because).toContain('may no longer create tasks');
    expect(await made(site)).toEqual({ patients: 0, tasks: 0 });
  });

  test('says why the service refused each row, and keeps it for correction', async () => {
    const one = await upload(site, csv(people(2)));
    // Meanwhile, the project has disabled such tasks.
    const next = { ...access.project, enabled_task_types: ['CUSTOM_TASK' as const] };
    await writeTransaction(table, [replaceProjectItem(table, access.project, next)]);
    const done = await carryOut(site, one);
    expect(done.counts).toMatchObject({ patients_created: 2, tasks_created: 0, refused: 2 });
    const rows = await exportImportRows(table, access, done);
    expect(problems(rows)).toEqual([
      '2 Task type SCHEDULE_APPOINTMENT is not enabled for this project.',
      '3 Task type SCHEDULE_APPOINTMENT is not enabled for this project.',
    ]);
    expect(rows[0]?.cells).toContain('Given0');
  });

  test('tells who saw the patients of the rows that are downloaded, and of no others', async () => {
    const [first = [], second = [], third = [], fourth = []] = people(4);
    await carryOut(site, await upload(site, csv([first])));
    const wrong = (row: readonly string[], id: string) => [id, ...row.slice(1, 7), '12345'];
    const rows = [second, wrong(first, ''), wrong(second, 'MRN-1'), third, wrong(fourth, '')];
    const one = await carryOut(site, await upload(site, csv(rows)));
    const { items } = await listProjectPatients(table, access.project.id, { limit: 9, before: null });
    const idsOf = (...names: string[]) =>
      items.flatMap(({ first_name, id }) => (names.includes(first_name) ? [id] : []));
    const exported = async () => {
      const page = { limit: 1, before: null };
      const [entry] = (await listAuditEntries(table, access.project.id, page)).items;
      expect(entry).toMatchObject({ action: 'import.exported', target: { id: one.id } });
      return entry?.patient_ids.toSorted();
    };
    await exportImportRows(table, access, one, isWrong);
    expect(await exported()).toEqual(idsOf('Given0', 'Given1').toSorted());
    await exportImportRows(table, access, one);
    expect(await exported()).toEqual(idsOf('Given0', 'Given1', 'Given2').toSorted());
  });

  test('splits the record of a large download', async () => {
    const one = await carryOut(site, await upload(site, csv(people(120))));
    await exportImportRows(table, access, one);
    const { items } = await listAuditEntries(table, access.project.id, { limit: 2, before: null });
    expect(items.map(({ action }) => action)).toEqual(['import.exported', 'import.exported']);
    expect(items.map(({ patient_ids }) => patient_ids.length).toSorted()).toEqual([100, 20]);
  });

  test('is gone after seven days', async () => {
    const now = new Date(Date.now() - 8 * 24 * 60 * 60_000);
    const checked = await checkImport(table, access, readImportFile(csv(people(1))), 'day.csv');
    const old = await keepImport(table, access, checked, now);
    await expect(readImport(table, access, old.id)).rejects.toThrow('Import not found');
    expect(await readImports(table, access)).toEqual([]);
  });
});
