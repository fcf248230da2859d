import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authorizeProject, type ProjectAccess } from '#shared/admin/authorize-project.ts';
import {
  exportImportRows,
  keepImport,
  readImport,
  readImports,
  startImport,
  stopImport,
} from '#shared/admin/imports.ts';
import { checkImport } from '#shared/dashboard/forms/import-check.ts';
import { problemText } from '#shared/dashboard/forms/import-csv.ts';
import { readImportFile } from '#shared/dashboard/forms/import-file.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Import, ImportRow } from '#shared/domain/import.ts';
import { carryOutImport } from '#shared/imports/carry-out-import.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { findDue } from '#shared/table/due.ts';
import { addMemberItem, removeMemberItem } from '#shared/table/member.ts';
import { getPatient, listProjectPatients } from '#shared/table/patient.ts';
import { putProject, replaceProjectItem } from '#shared/table/project.ts';
import { getTask } from '#shared/table/task.ts';
import { everyTask, listTaskRows } from '#shared/table/task-rows.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from '../../support/embedded-queues.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { importHeadings, importRow } from '../../support/import-rows.ts';
import { sampleProject, sampleTime } from '../../support/sample-tasks.ts';

let embedded: EmbeddedTable;
let queues: EmbeddedQueues;
let table: Table;
let access: ProjectAccess;
let email: string;
let queue: { url: string; client: EmbeddedQueues['sqs'] };
beforeAll(async () => {
  [embedded, queues] = await Promise.all([startEmbeddedTable(), startEmbeddedQueues()]);
  ({ table } = embedded);
  queue = { url: queues.createQueue('calls'), client: queues.sqs };
});
afterAll(async () => {
  await embedded.stop();
  await queues.stop();
});
beforeEach(async () => {
  const project = sampleProject({ id: uuidv7() });
  email = `staff.${project.id}@clinic.example.com`;
  const member = { project_id: project.id, email, created_at: sampleTime, updated_at: sampleTime };
  await writeTransaction(table, [
    putProject(table, project),
    addMemberItem(table, { ...member, role: 'staff' }),
  ]);
  const caller = { person: { subject: 'staff', email, name: null }, requestId: 'request-1' };
  access = await authorizeProject(table, caller, project.id, 'tasks.write');
});

const clinic = '(202) 555-0100';
const visit = importRow(0, clinic).slice(5);

function csv(rows: readonly (readonly string[])[], names: readonly string[] = importHeadings): string {
  return [names, ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n');
}

/** Invented people, all different. */
function people(count: number): string[][] {
  return Array.from({ length: count }, (_, at) => importRow(at, clinic));
}

async function upload(text: string): Promise<Import> {
  return keepImport(table, access, await checkImport(table, access, readImportFile(text), 'day.csv'));
}

const services = (now: () => Date = () => new Date()) => ({
  table,
  queue,
  // The sandbox phone is deployed; nobody is called here.
  carrier: async () => ({}) as never,
  now,
});

async function carryOut(one: Import): Promise<Import> {
  await startImport(table, access, one);
  return finish(one);
}

/** As many messages as the machine needs: each works for a few seconds. */
async function finish(one: Import): Promise<Import> {
  for (;;) {
    await carryOutImport(services(), one);
    const now = await readImport(table, access, one.id);
    if (now.status !== 'running') return now;
  }
}

async function made(): Promise<{ patients: number; tasks: number }> {
  const page = { limit: 500, before: null };
  const [patients, tasks] = await Promise.all([
    listProjectPatients(table, access.project.id, page),
    listTaskRows(table, access.project.id, everyTask, page),
  ]);
  return { patients: patients.items.length, tasks: tasks.items.length };
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('there is no such row');
  return value;
}

const problems = (rows: readonly ImportRow[]) =>
  rows.filter((row) => problemText(row) !== '').map((row) => `${row.number} ${problemText(row)}`);

describe('the check of a file', () => {
  test('tells each wrong cell by row and heading, and makes nothing', async () => {
    const one = await upload(
      csv([
        ...people(1),
        ['', 'Ana', '', '2/31/1990', '555', 'Verify insurance', 'Ask for benefits.', '(202) 555-0101'],
        ['', 'Bo', 'Example', '1/2/1990', '(202) 555-0143', 'Sing', 'La', '(202) 555-0101'],
        ['MRN-404', '', '', '', '', ...visit],
        ['', '', '', '', '', '', '', ''],
        ['', 'Cy', 'Example', '1/2/1990', '(202) 555-0143', visit[0] ?? '', '', '911'],
      ]),
    );
    expect(one).toMatchObject({ status: 'ready', rows: 5, bad_rows: 4 });
    expect(one.expected).toMatchObject({ patients_created: 1, tasks_created: 1 });
    expect(problems(await exportImportRows(table, access, one))).toEqual([
      '3 Last name: Enter a last name; Date of birth: Enter a date of birth that exists, such as 07/12/1984; Patient phone number: Enter a phone number, such as (202) 555-0142',
      '4 Task type: Enter a task type: Schedule an appointment, Verify insurance, Follow up on a claim, Ask a list of questions',
      '5 Patient external ID: No patient of this project has this external ID',
      '7 Goal: Enter a goal; Number to call: Enter the number to call, such as (202) 555-0142',
    ]);
    expect(await made()).toEqual({ patients: 0, tasks: 0 });
  });

  test('takes semicolons, choices as they are shown, lists and insurances, and refuses data of another type', async () => {
    const names = [
      'First name',
      'Last name',
      'DOB',
      'Patient phone number',
      'Patient medical insurance 1 member ID',
      'Task type',
      'Goal',
      'Number to call',
      'Question 1',
      'Is rescheduling',
      'Patient status',
      'Shoe size',
    ];
    const who = ['Ana', 'Example', '1/2/1990', '202-555-0143', 'EHP1'];
    const text = [
      names,
      [...who, 'CUSTOM_TASK', 'Ask.', '+12025550103', 'Are you open on Saturday?', '', '', '9'],
      [...who, 'schedule appointment', 'Book.', '+12025550100', '', 'Yes', 'New patient', ''],
      [...who, 'Verify insurance', 'Ask.', '+12025550101', 'Why?', '', '', ''],
    ];
    const one = await upload(text.map((cells) => cells.join(';')).join('\n'));
    expect(one.ignored_columns).toEqual(['Shoe size']);
    const [asked, booked, foreign] = await exportImportRows(table, access, one);
    expect(asked?.patient).toMatchObject({
      kind: 'new',
      body: { insurance: { medical: [{ member_id: 'EHP1' }] }, date_of_birth: '1990-01-02' },
    });
    expect(asked?.task?.body).toMatchObject({
      task_type: 'CUSTOM_TASK',
      task_data: { questions_to_ask: [{ question: 'Are you open on Saturday?', index: 0 }] },
    });
    expect(booked?.task?.body).toMatchObject({
      task_type: 'SCHEDULE_APPOINTMENT',
      task_data: { is_rescheduling: true, patient_status: 'new' },
    });
    expect(problemText(required(foreign))).toBe(
      'Question 1: “Verify insurance” has no such data; clear this cell',
    );
  });

  test('takes times between which calls may begin, by the clock of the clinic or with their offset', async () => {
    const names = [...importHeadings, 'Call after', 'Call before'];
    const at = (after: string, before: string) => [...(people(1)[0] ?? []), after, before];
    const rows = [
      at('11/25/2099 9:00 AM', '2099-11-25 17:30'),
      at('2099-11-25T09:00:00-08:00', ''),
      at('tomorrow', '11/25/2099'),
      at('11/25/2099 9:00 AM', '11/25/2099 8:59 am'),
    ];
    const bodies = async (project: ProjectAccess['project']) => {
      const checked = await checkImport(
        table,
        { ...access, project },
        readImportFile(csv(rows, names)),
        'day.csv',
      );
      return { tasks: checked.rows.map(({ task }) => task?.body), problems: problems(checked.rows) };
    };
    const found = await bodies({ ...access.project, time_zone: 'America/New_York' });
    expect(found.tasks).toMatchObject([
      { call_after: '2099-11-25T14:00:00.000Z', call_before: '2099-11-25T22:30:00.000Z' },
      { call_after: '2099-11-25T17:00:00.000Z' },
      undefined as never,
      undefined as never,
    ]);
    expect(found.problems[0]).toMatch(/^4 Call after: Enter a date and time.*; Call before: Enter a date/);
    expect(found.problems[1]).toBe('5 Call before: Enter a future time after “Call after”');
    // Whose clock is meant nobody can say.
    const clockless = await bodies({ ...access.project, time_zone: null });
    expect(clockless.problems[0]).toContain('2 Call after: Enter a date and time');
    expect(clockless.tasks[1]).toMatchObject({ call_after: '2099-11-25T17:00:00.000Z' });
  });

  test.each([
    ['PK\u0003\u0004', 'This is a workbook'],
    ['First name\nMar\ufffda', 'Save the file as CSV UTF-8'],
    ['a,b\n1,2', 'The first row must name the columns'],
    ['First name,first_name\nA,B', 'Two columns mean the same'],
    ['First name\n', 'no rows'],
    ['First name\n"A', 'quotation mark'],
  ])('refuses a file of which no row can be checked: %j', (text, sentence) => {
    expect(() => readImportFile(text)).toThrow(sentence);
  });
});

describe('an import', () => {
  test('registers patients, creates tasks, and keeps no row a second time', async () => {
    const done = await carryOut(
      await upload(csv([...people(30), ['', 'Only', 'Patient', '1/2/1990', '202-555-0143']])),
    );
    expect(done).toMatchObject({ status: 'done', rows_done: 31, next_part: 2 });
    expect(done.counts).toMatchObject({ patients_created: 31, tasks_created: 30, refused: 0 });
    expect(await made()).toEqual({ patients: 31, tasks: 30 });
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
    // Neither does a message of the queue say anything about anybody.
    expect(JSON.stringify(queues.messages('calls'))).not.toMatch(/Given|Example|MRN|\+1202/);
  });

  test('has tasks called when their rows say', async () => {
    const after = '2099-11-25T09:00:00-08:00';
    const names = [...importHeadings, 'Call after'];
    const one = await upload(csv([[...(people(1)[0] ?? []), after]], names));
    const done = await carryOut(one);
    const [row] = await exportImportRows(table, access, done);
    expect(await getTask(table, row?.outcome?.task_id ?? '')).toMatchObject({
      call_after: '2099-11-25T17:00:00.000Z',
      next_attempt_at: '2099-11-25T17:00:00.000Z',
    });
  });

  test('of the longest rows there may be stays in what an item of the table holds', async () => {
    // A letter of three bytes, in as many rows as a part may have.
    const long = '語'.repeat(3900);
    const rows = people(30).map((cells, at) => [...cells.slice(0, 6), `${at} ${long}`, ...cells.slice(7)]);
    const text = csv(rows);
    expect(Buffer.byteLength(text)).toBeGreaterThan(340_000);
    const one = await upload(text);
    expect(one).toMatchObject({ rows: 30, bad_rows: 0 });
    expect(one.parts).toBeGreaterThan(1);
    // Nothing may be created any more, so that every row keeps its cells beside what became of it.
    const next = { ...access.project, enabled_task_types: ['CUSTOM_TASK' as const] };
    await writeTransaction(table, [replaceProjectItem(table, access.project, next)]);
    const done = await carryOut(one);
    expect(done).toMatchObject({ status: 'done', rows_done: 30, counts: { refused: 30 } });
    expect((await exportImportRows(table, access, done)).map(({ cells }) => cells[6])).toEqual(
      rows.map((cells) => cells[6]),
    );
  });

  test('that died midway goes on where it was, and doubles nothing', async () => {
    const one = await upload(csv(people(60)));
    await startImport(table, access, one);
    let sent = 0;
    const startedAt = new Date();
    const dying = {
      // A clock that stands still, so that a slow machine does not end the run before the worker dies.
      ...services(() => startedAt),
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
    const midway = await made();
    expect(midway.tasks).toBeGreaterThan(0);
    expect(midway.tasks).toBeLessThan(60);
    // The sweeper finds it, when the message does not come back.
    const inHalfAnHour = new Date(Date.now() + 30 * 60_000).toISOString();
    const due: string[] = [];
    for await (const page of findDue(table, inHalfAnHour)) due.push(...page.map(({ sk }) => sk));
    expect(due).toContain(`IMPORT#${one.id}`);

    await Promise.all([carryOutImport(services(), one), carryOutImport(services(), one)]);
    const done = await finish(one);
    expect(done).toMatchObject({ status: 'done', rows_done: 60 });
    expect(done.counts).toMatchObject({ patients_created: 60, tasks_created: 60, repeated: 0, refused: 0 });
    expect(await made()).toEqual({ patients: 60, tasks: 60 });
  });

  test('of the same rows again, alone or among corrected ones, creates only what is new', async () => {
    await carryOut(await upload(csv(people(3))));
    const [first = [], second = [], third = []] = people(3);
    const again = await upload(
      csv([
        first,
        // The same call, written in another way.
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
    const done = await carryOut(again);
    expect(done.counts).toMatchObject({ tasks_created: 2, repeated: 3, patients_created: 0 });
    expect(await made()).toEqual({ patients: 3, tasks: 5 });
  });

  test('makes one patient of several rows of the same person, and several of those with several identifiers', async () => {
    const [row = []] = people(1);
    const of = (id: string, goal: string, name = 'Given0') => [
      id,
      name,
      ...row.slice(2, 6),
      goal,
      row[7] ?? '',
    ];
    const one = await upload(
      csv([
        of('', 'One.'),
        of('MRN-1', 'Two.'),
        of('', 'Three.'),
        of('MRN-2', 'Four.', 'Twin'),
        of('MRN-3', 'Five.', 'Twin'),
      ]),
    );
    const done = await carryOut(one);
    expect(done.counts).toMatchObject({ patients_created: 3, tasks_created: 5, refused: 0 });
    expect(one.expected).toMatchObject({ patients_created: 3, tasks_created: 5 });
    const [first, second, third] = (await exportImportRows(table, access, done)).map(
      ({ outcome }) => outcome?.patient_id,
    );
    expect([second, third]).toEqual([first, first]);
    expect(await getPatient(table, first ?? '')).toMatchObject({ external_id: 'MRN-1' });

    const unclear = await upload(csv([of('', 'Six.', 'Twin'), of('', 'Seven.')]));
    expect(problems(await exportImportRows(table, access, unclear))).toEqual([
      '2 Last name: Several patients have this name and date of birth; enter an external ID',
    ]);
    expect(unclear.expected).toMatchObject({ patients_found: 1, tasks_created: 1 });
  });

  test('stops for whoever stops it, and goes on later', async () => {
    const one = await upload(csv(people(60)));
    await startImport(table, access, one);
    await stopImport(table, access, await readImport(table, access, one.id));
    await carryOutImport(services(), one);
    expect(await made()).toEqual({ patients: 0, tasks: 0 });
    const done = await carryOut(await readImport(table, access, one.id));
    expect(done.status).toBe('done');
    expect((await made()).tasks).toBe(60);
  });

  test('stops by itself, and says why, when whoever started it may not create tasks any more', async () => {
    const one = await upload(csv(people(2)));
    await startImport(table, access, one);
    const member = { project_id: access.project.id, email, created_at: sampleTime, updated_at: sampleTime };
    await writeTransaction(table, [removeMemberItem(table, { ...member, role: 'staff' })]);
    await carryOutImport(services(), one);
    const stopped = await readImport(table, access, one.id);
    expect(stopped.status).toBe('stopped');
    expect(stopped.stopped_because).toContain('may no longer create tasks');
    expect(await made()).toEqual({ patients: 0, tasks: 0 });
  });

  test('says of each row why the service refused it, and keeps it to be put right', async () => {
    const one = await upload(csv(people(2)));
    // Meanwhile the project has stopped doing such tasks.
    const next = { ...access.project, enabled_task_types: ['CUSTOM_TASK' as const] };
    await writeTransaction(table, [replaceProjectItem(table, access.project, next)]);
    const done = await carryOut(one);
    expect(done.counts).toMatchObject({ patients_created: 2, tasks_created: 0, refused: 2 });
    const rows = await exportImportRows(table, access, done);
    expect(problems(rows)).toEqual([
      '2 Task type SCHEDULE_APPOINTMENT is not enabled for this project.',
      '3 Task type SCHEDULE_APPOINTMENT is not enabled for this project.',
    ]);
    expect(rows[0]?.cells).toContain('Given0');
  });

  test('is gone after seven days', async () => {
    const now = new Date(Date.now() - 8 * 24 * 60 * 60_000);
    const checked = await checkImport(table, access, readImportFile(csv(people(1))), 'day.csv');
    const old = await keepImport(table, access, checked, now);
    await expect(readImport(table, access, old.id)).rejects.toThrow('Import not found');
    expect(await readImports(table, access)).toEqual([]);
  });
});
