import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Clinic,
  confirm,
  look,
  newVisitor,
  noticeOn,
  openClinic,
  signInAs,
  textOf,
  untilShown,
} from '../support/browser.ts';
import { importHeadings, importRow } from '../support/import-rows.ts';
import { stack } from '../support/stack.ts';

const { baseUrl } = stack();

let clinic: Clinic;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'import-test-'));
  clinic = await openClinic();
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await clinic?.close();
});

const headings = [...importHeadings, 'Call after'];
/** The tasks wait, and occupy no line that other tests need. */
const nobody = '(202) 555-0111';
const later = '2099-01-01T00:00:00Z';

function fileOf(name: string, rows: readonly (readonly string[])[]): string {
  const path = join(directory, name);
  writeFileSync(path, [headings, ...rows].map((cells) => `${cells.join(',')}\r\n`).join(''));
  return path;
}

function person(number: number, changes: Readonly<Record<number, string>> = {}): string[] {
  return [...importRow(number, nobody), later].map((cell, at) => changes[at] ?? cell);
}

async function uploadTo(page: Page, path: string): Promise<void> {
  await page.goto(`${clinic.address}/imports`);
  await page.getByLabel('CSV file').setInputFiles(path);
  await page.getByRole('button', { name: 'Check file' }).click();
}

const listed = async (what: 'patient' | 'task'): Promise<{ id: string }[]> => {
  const { body } = await clinic.client.request('GET', `/v1/${what}?limit=100`);
  return body[`${what}s`];
};

describe('a file of patients and tasks at a browser', () => {
  test('starts from a template, is previewed, and is imported live', async () => {
    const { page } = clinic.owner;
    await page.goto(`${clinic.address}/tasks`);
    await page.getByRole('link', { name: 'Import CSV' }).click();
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
    await look(page, 'imports');
    const template = await page.request.get(
      `${baseUrl}${await page.getByRole('link', { name: 'Verify insurance (CSV)' }).getAttribute('href')}`,
    );
    expect(template.headers()['content-type']).toContain('text/csv');
    for (const heading of ['Patient first name', 'Number to call', 'Insurance member ID']) {
      expect(await template.text()).toContain(heading);
    }

    await uploadTo(
      page,
      fileOf('monday.csv', [
        ...Array.from({ length: 30 }, (_, at) => person(at)),
        person(30, { 3: '2/31/1990', 4: '555' }),
        person(31, { 5: 'Sing' }),
      ]),
    );
    await page.getByRole('heading', { name: 'What this import will do' }).waitFor();
    const main = await textOf(page.getByRole('main'));
    expect(main).toContain('32 rows: 30 valid, 2 with problems. Nothing has been created yet.');
    expect(main).toContain('30 tasks will be created');
    expect(main).toContain('30 patients will be added');
    const problems = page.getByRole('table', { name: 'Rows to fix' });
    expect(await textOf(problems)).toContain('Date of birth: Enter a date of birth, such as');
    expect(await textOf(problems)).toContain('Task type: Enter a task type');
    expect(await listed('patient')).toEqual([]);
    await look(page, 'import-checked');
    // No URL contains anything about a person.
    expect(page.url()).not.toMatch(/monday|Given/);

    const fix = page.getByRole('link', { name: 'Download these rows (CSV)' });
    const file = await page.request.get(`${baseUrl}${await fix.getAttribute('href')}`);
    const [, first] = (await file.text()).trim().split('\r\n');
    expect(first).toContain('32,');
    expect(first).toContain('Given30');
    await page.getByRole('button', { name: 'Import 30 rows' }).click();
    // Without a reload: the page polls.
    await page.getByText('32 of 32 rows done').waitFor({ timeout: 120_000 });
    await page.getByRole('link', { name: 'Download the result of each row (CSV)' }).waitFor();
    expect(await textOf(page.getByRole('main'))).toContain('30 tasks were created');
    await look(page, 'import-done');
    expect(await listed('patient')).toHaveLength(30);
    expect(await listed('task')).toHaveLength(30);
    const results = await page
      .getByRole('link', { name: 'Download the result of each row (CSV)' })
      .getAttribute('href');
    const text = await (await page.request.get(`${baseUrl}${results}`)).text();
    expect(text.match(/Patient added, task created/g)).toHaveLength(30);
    expect(text.match(/Skipped/g)).toHaveLength(2);
  });

  test('creates nothing twice when sent again with corrected rows, without scripts', async () => {
    const { context, page } = await newVisitor(clinic.browser, { javaScriptEnabled: false });
    await signInAs(page, baseUrl, 'Olive Owner');
    const file = fileOf(
      'monday-corrected.csv',
      Array.from({ length: 32 }, (_, at) => person(at)),
    );
    await uploadTo(page, file);
    const main = await textOf(page.getByRole('main'));
    expect(main).toContain('2 tasks will be created');
    expect(main).toContain('30 rows were already imported');
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await untilShown(page, '32 of 32 rows done');
    await untilShown(page, 'Done');
    expect(await listed('patient')).toHaveLength(32);
    expect(await listed('task')).toHaveLength(32);
    await uploadTo(page, file);
    expect(await textOf(page.getByRole('main'))).toContain('There is nothing new to import.');
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
    await context.close();
  });

  test('with unknown headings is refused with a message', async () => {
    const { page } = clinic.owner;
    const path = join(directory, 'workbook.csv');
    writeFileSync(path, Buffer.from('PK\u0003\u0004 not text'));
    await uploadTo(page, path);
    expect(await textOf(page.getByRole('alert'))).toContain('Save it as CSV UTF-8');
    await look(page, 'imports-refused');
    await page.getByRole('button', { name: 'Check file' }).click();
    expect(await textOf(page.getByRole('alert'))).toContain('Choose a CSV file');
  });

  test('is closed to viewers', async () => {
    const { page } = clinic.viewer;
    await page.goto(`${clinic.address}/tasks`);
    expect(await page.getByRole('link', { name: 'Import CSV' }).count()).toBe(0);
    expect((await page.goto(`${clinic.address}/imports`))?.status()).toBe(403);
  });
});

describe('bulk actions on a list', () => {
  test('cancel tasks after a preview, and report each', async () => {
    const { page } = clinic.owner;
    await page.goto(`${clinic.address}/tasks`);
    await look(page, 'tasks-selectable');
    const boxes = page.getByRole('table').getByRole('checkbox');
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await page.getByRole('heading', { name: 'Cancel tasks', level: 1 }).waitFor();
    expect(await textOf(page.getByRole('main'))).toContain(
      '2 of 2 tasks will change. Nothing has been done yet.',
    );
    await look(page, 'selected-tasks');
    await page.getByRole('button', { name: 'Cancel 2 tasks' }).click();
    await page.getByRole('heading', { name: 'Canceled: 2 tasks' }).waitFor();
    await look(page, 'selected-tasks-done');
    await page.getByRole('main').getByRole('table').getByRole('link').first().click();
    await page.getByText('Canceled').first().waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Canceled: 2 tasks' }).waitFor();
    const { body } = await clinic.client.request('GET', '/v1/task?limit=100&status=CANCELLED');
    expect(body.tasks).toHaveLength(2);
  });

  test('call again and assign a whole view, without scripts, and explain exceptions', async () => {
    const { context, page } = await newVisitor(clinic.browser, { javaScriptEnabled: false });
    await signInAs(page, baseUrl, 'Olive Owner');
    await page.goto(`${clinic.address}/tasks?status=CANCELLED`);
    await page.getByLabel(/^All tasks of this view/).check();
    await page.getByRole('button', { name: 'Call again…' }).click();
    await page.getByRole('button', { name: 'Call again for 2 tasks' }).click();
    await page.getByRole('heading', { name: 'Called again: 2 tasks' }).waitFor();
    expect(await page.getByRole('link', { name: 'New task' }).count()).toBe(2);
    await page.reload();
    await page.getByRole('heading', { name: 'Called again: 2 tasks' }).waitFor();
    expect(await listed('task')).toHaveLength(34);

    await page.goto(`${clinic.address}/tasks`);
    await page.getByLabel(/^All tasks of this view/).check();
    await page.getByRole('button', { name: 'Assign…' }).click();
    const main = await textOf(page.getByRole('main'));
    expect(main).toContain('Nothing: Follow-ups begin when a task has ended');
    await page.getByLabel('Assignee').selectOption('owner@clinic.example.com');
    await page.getByRole('button', { name: /^Assign / }).click();
    await page.getByRole('heading', { name: /^Assigned: / }).waitFor();
    await page.goto(`${clinic.address}/tasks?status=CANCELLED`);
    await page.getByRole('link', { name: 'Find a morning slot.' }).first().click();
    expect(await textOf(page.getByRole('main'))).toContain('owner@clinic.example.com');
    await context.close();
  });

  test('work on saved views, personal or shared', async () => {
    const { owner, viewer } = clinic;
    await owner.page.goto(`${clinic.address}/tasks?status=CANCELLED&sort=oldest`);
    await owner.page.getByText('Save this view').click();
    await owner.page.getByLabel('Name', { exact: true }).fill('Given up');
    await owner.page.getByLabel('Share with everyone in the project').check();
    await owner.page.getByRole('button', { name: 'Save view' }).click();
    expect(await noticeOn(owner.page)).toBe('The view was saved.');
    await look(owner.page, 'tasks-saved-view');
    await viewer.page.goto(`${clinic.address}/tasks?status=FAILED`);
    await viewer.page.getByText('Save this view').click();
    expect(await viewer.page.getByLabel('Share with everyone in the project').count()).toBe(0);
    await viewer.page.getByLabel('Name', { exact: true }).fill('My own');
    await viewer.page.getByRole('button', { name: 'Save view' }).click();
    await viewer.page.getByRole('link', { name: 'Given up' }).click();
    await viewer.page.getByText('2 of 2').waitFor();
    expect(await viewer.page.getByText('Delete view').count()).toBe(0);
    await owner.page.goto(`${clinic.address}/tasks`);
    expect(await owner.page.getByRole('link', { name: 'My own' }).count()).toBe(0);
    await owner.page.getByRole('link', { name: 'Given up' }).click();
    await confirm(owner.page, 'Delete view');
    expect(await noticeOn(owner.page)).toBe('The view was deleted.');
    expect(await owner.page.getByRole('link', { name: 'Given up' }).count()).toBe(0);
  });

  test("show the clinic's time zone, whatever the reader's", async () => {
    const { page } = clinic.owner;
    await page.goto(`${clinic.address}/settings`);
    await page.getByLabel('Time zone').selectOption({ label: 'Hawaii' });
    await page.getByRole('button', { name: 'Save settings' }).click();
    expect(await noticeOn(page)).toBe('The settings were saved.');
    await page.goto(`${clinic.address}/imports`);
    expect(await textOf(page.getByRole('table'))).toContain('HST');
  });

  test('are unavailable to viewers', async () => {
    const { page } = clinic.viewer;
    await page.goto(`${clinic.address}/tasks`);
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });

  test('caused no browser violations', () => {
    expect(clinic.complaints()).toEqual([]);
  });
});
