import { beforeEach, describe, expect, test } from 'vitest';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { exportImportRows, keepImport, readFirstPatients } from '#shared/admin/imports.ts';
import { checkImport } from '#shared/dashboard/forms/import-check.ts';
import { problemText } from '#shared/dashboard/forms/import-csv.ts';
import { readImportFile } from '#shared/dashboard/forms/import-file.ts';
import type { Table } from '#shared/table/client.ts';
import { importHeadings } from '../../support/import-rows.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { storeOptOut } from '../../support/stored-opt-outs.ts';
import {
  csv,
  type ImportSite,
  made,
  people,
  problems,
  required,
  startImportSites,
  upload,
  visit,
} from './import-site.ts';

const sites = await forThisFile(startImportSites());
let site: ImportSite;
let table: Table;
let access: ProjectAccess;
beforeEach(async () => {
  site = await sites.newSite();
  ({ table, access } = site);
});

describe('an import check', () => {
  test('reports each invalid cell by row and heading, and creates nothing', async () => {
    const one = await upload(
      site,
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
      '3 Last name: Enter a last name; Date of birth: Enter a date of birth, such as ' +
        'Jul 12, 1984 or 1984-07-12; Patient phone number: Enter a phone number, such as (202) 555-0142',
      '4 Task type: Enter a task type: Schedule an appointment, Verify insurance, Follow up on a claim, ' +
        'Ask a list of questions',
      '5 Patient external ID: No patient of this project has this external ID',
      '7 Goal: Enter a goal; Number to call: Enter the number to call, such as (202) 555-0142',
    ]);
    expect(await made(site)).toEqual({ patients: 0, tasks: 0 });
  });

  test('reads dates as the country of the project writes them, and refuses what may be another day', async () => {
    const birthsIn = async (country: string, ...dates: string[]) => {
      const there = { ...access, project: { ...access.project, default_country: country } };
      const rows = dates.map((date, at) => [`Ana${at}`, 'Example', date, '+1 202 555 0143']);
      const text = csv(rows, ['First name', 'Last name', 'DOB', 'Patient phone number']);
      const one = await keepImport(
        table,
        there,
        await checkImport(table, there, readImportFile(text), 'f.csv'),
      );
      const births = (await readFirstPatients(table, one, 3)).map((patient) => patient.date_of_birth);
      return { births, problems: problems(await exportImportRows(table, access, one)) };
    };
    const advice = 'DOB: Enter a date of birth, such as Jul 12, 1984 or 1984-07-12';
    expect(await birthsIn('GB', '02/01/1980', '25/12/1980', '2.1.1980', '1980-01-02')).toEqual({
      births: ['1980-01-02', '1980-12-25', '1980-01-02'],
      problems: [],
    });
    expect(await birthsIn('US', '02/01/1980', '02.01.1980', '25/12/1980', '2-Jan-1980')).toEqual({
      births: ['1980-02-01', '1980-01-02'],
      problems: [`3 ${advice}`, `4 ${advice}`],
    });
  });

  test('reports rows whose number is on the Do Not Call list', async () => {
    await storeOptOut(table, access.project, '+12025550199');
    const rows = people(2);
    required(rows[1]).splice(-1, 1, '(202) 555-0199');
    const one = await upload(site, csv(rows));
    expect(one).toMatchObject({ rows: 2, bad_rows: 1, expected: { tasks_created: 1 } });
    expect(problems(await exportImportRows(table, access, one))).toEqual([
      '3 Number to call: The number is on the Do Not Call list; lift it there to call it',
    ]);
  });

  test('names the heading that a file lacks, like that of another number', async () => {
    const names = ['First name', 'DOB', 'Phone number', 'Task type', 'Goal'];
    const row = ['Ana', '1/2/1990', '(202) 555-0143', 'Ask a list of questions', 'Ask.'];
    const one = await upload(site, csv([row], names));
    expect(one.ignored_columns).toEqual(['Phone number']);
    expect(problems(await exportImportRows(table, access, one))).toEqual([
      '2 Patient last name: Enter a last name; ' +
        'Patient phone number: Enter a phone number, such as (202) 555-0142; ' +
        'Number to call: Enter the number to call, such as (202) 555-0142',
    ]);
  });

  test('takes what spreadsheets and other systems write: a separator line, and plain headings', async () => {
    const row = ['Ana', 'Example', '1/2/1990', '(202) 555-0143'];
    for (const phone of ['Phone', 'Phone Number', 'Mobile', 'Cell']) {
      const file = csv([row], ['First Name', 'Last Name', 'DOB', phone]).replaceAll(',', ';');
      const one = await upload(site, `sep=;\r\n${file}`);
      expect([one.bad_rows, one.ignored_columns]).toEqual([0, []]);
      const [read] = await exportImportRows(table, access, one);
      expect(read).toMatchObject({ number: 2, patient: { body: { phone_number: '+12025550143' } } });
    }
    const both = csv([[...row, '(202) 555-0144']], ['First Name', 'Last Name', 'DOB', 'Phone', 'Cell']);
    await expect(upload(site, both)).rejects.toThrow('Two columns have the same meaning');
  });

  test('accepts semicolons, choices as shown, lists and insurances, and refuses data of another type', async () => {
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
    const one = await upload(site, text.map((cells) => cells.join(';')).join('\n'));
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
      'Question 1: “Verify insurance” does not use this column; clear this cell',
    );
  });

  test("accepts call windows in the clinic's time or with their offset", async () => {
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
    // The time zone is unknown.
    const clockless = await bodies({ ...access.project, time_zone: null });
    expect(clockless.problems[0]).toContain('2 Call after: Enter a date and time');
    expect(clockless.tasks[1]).toMatchObject({ call_after: '2099-11-25T17:00:00.000Z' });
  });

  test.each([
    ['PK\u0003\u0004', 'This is a workbook'],
    ['First name\nMar\ufffda', 'Save the file as CSV UTF-8'],
    ['a,b\n1,2', 'The first row must name the columns'],
    ['First name,first_name\nA,B', 'Two columns have the same meaning'],
    ['First name\n', 'no rows'],
    ['First name\n"A', 'quotation mark'],
  ])('refuses a file without any valid structure: %j', (text, sentence) => {
    expect(() => readImportFile(text)).toThrow(sentence);
  });
});
