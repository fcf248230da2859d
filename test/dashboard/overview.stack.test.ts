import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clinic, look, newVisitor, openClinic, signInAs, textOf } from '../support/browser.ts';
import { eventually, stack } from '../support/stack.ts';

const { baseUrl } = stack();

let clinic: Clinic;
beforeAll(async () => {
  clinic = await openClinic();
});
afterAll(() => clinic?.close());

interface TaskOfApi {
  readonly status: string;
  readonly calls: readonly { readonly status: string }[];
}

async function readTask(id: string): Promise<TaskOfApi> {
  return (await clinic.client.request('GET', `/v1/task/${id}`)).body;
}

/** The rows of a chart's table, cell by cell, as readers see them. */
async function numbersOf(page: Page, title: string): Promise<string[][]> {
  const figure = page.getByRole('figure').filter({ has: page.getByRole('heading', { name: title }) });
  await figure.locator('summary').click();
  const rows = await figure.getByRole('row').all();
  const cells = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
  await figure.locator('summary').click();
  return cells.slice(1);
}

describe('the overview of a project at a browser', () => {
  let tasks: TaskOfApi[];
  const withStatus = (status: string): number => tasks.filter((task) => task.status === status).length;

  test('shows an owner the way to the first task, and a viewer no way without permission', async () => {
    const [owner, viewer] = [clinic.owner.page, clinic.viewer.page];
    await owner.goto(clinic.address);
    const main = owner.getByRole('main');
    await main.getByRole('heading', { name: 'Get started' }).waitFor();
    const hrefs = await Promise.all(
      ['Add a patient', 'Create a task', 'Generate an API key', 'Add a webhook'].map((name) =>
        main.getByRole('link', { name }).getAttribute('href'),
      ),
    );
    const { pathname } = new URL(clinic.address);
    expect(hrefs).toEqual(
      ['new-patient', 'new-task', 'api-keys', 'webhooks'].map((section) => `${pathname}/${section}`),
    );
    await main.getByText('+1 (202) 555-0112').waitFor();
    await look(owner, 'overview-empty');

    await viewer.goto(clinic.address);
    await viewer.getByRole('heading', { name: 'No tasks yet' }).waitFor();
    expect(await viewer.getByRole('main').getByRole('link').count()).toBe(0);
  });

  test('counts tasks and calls exactly like the API', async () => {
    const { client, owner } = clinic;
    const patientId = await clinic.register();
    const ids = await Promise.all(
      ['+12025550100', '+12025550113', '+12025550110', '+12025550111', '+12025550112', '+12025550110'].map(
        (phone_number) => clinic.order(patientId, { phone_number }),
      ),
    );
    // Unreached people are called again after this test ends.
    await eventually('all calls to be over', async () => {
      const found = await Promise.all(ids.map(readTask));
      return found.every(({ calls: [call] }) => call !== undefined && call.status !== 'IN_PROGRESS') || null;
    });
    expect((await client.request('POST', `/v1/task/${ids.at(-1)}/cancel`)).status).toBe(200);
    tasks = await Promise.all(ids.map(readTask));
    expect(withStatus('COMPLETED')).toBe(1);
    expect(withStatus('IN_PROGRESS')).toBe(3);

    const { page } = owner;
    await page.goto(clinic.address);
    const outcomes = await numbersOf(page, 'Tasks by outcome');
    expect(outcomes.map(([name, count]) => [name, Number(count)])).toEqual([
      ['Completed', withStatus('COMPLETED')],
      ['Failed', withStatus('FAILED')],
      ['Canceled', withStatus('CANCELLED')],
      ['In progress', withStatus('IN_PROGRESS')],
      ['Waiting', withStatus('PENDING')],
    ]);
    const calls = tasks.flatMap((task) => task.calls);
    const hours = await numbersOf(page, 'Calls by hour of day');
    expect(hours.map((cells) => Number(cells.at(-1))).reduce((sum, count) => sum + count, 0)).toBe(
      calls.length,
    );
    const answered = calls.filter(({ status }) => status === 'SUCCESS' || status === 'VOICEMAIL').length;
    const counted = calls.filter(({ status }) => status !== 'CANCELLED').length;
    await page
      .getByText(`${answered} of ${counted} calls, by a person, a menu, a fax machine or voicemail`)
      .waitFor();
    await page.getByText('From creation to completion of 1 task').waitFor();
    // Screenshots are taken from the top of the page.
    await page.evaluate('window.scrollTo(0, 0)');
    await look(page, 'overview');
  });

  test('is readable with all its tables open', async () => {
    const { page } = clinic.owner;
    for (const summary of await page.locator('figure summary').all()) await summary.click();
    await page.evaluate('window.scrollTo(0, 0)');
    await look(page, 'overview-tables');
  });

  test('links each number of tasks to watch to these tasks', async () => {
    const { page } = clinic.viewer;
    for (const [name, status] of [
      ['In progress', 'IN_PROGRESS'],
      ['Not called yet', 'PENDING'],
      ['Failed', 'FAILED'],
    ] as const) {
      const link = page.getByRole('term').filter({ hasText: name }).locator('xpath=..').getByRole('link');
      await page.goto(clinic.address);
      const shown = Number.parseInt(await textOf(link), 10);
      expect(shown).toBe(withStatus(status));
      await link.click();
      await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
      const rows = await page.getByRole('table').getByRole('cell').getByRole('link').count();
      expect(rows).toBe(shown);
    }
  });

  test.each([
    ['task type', 'Schedule an appointment'],
    ['destination', '+1 (202) 555-0'],
    ['day', '2026'],
  ])('groups its figures by %s, and links each to its tasks', async (by, text) => {
    const { page } = clinic.viewer;
    await page.goto(clinic.address);
    await page.getByRole('link', { name: `by ${by}` }).click();
    await page.getByRole('heading', { name: `By ${by}` }).waitFor();
    await look(page, `results-by-${by.replace(' ', '-')}`);
    const row = page.getByRole('row').filter({ hasText: text }).first();
    const created = Number(await textOf(row.getByRole('cell').nth(1)));
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
    const rows = await page.getByRole('table').getByRole('cell').getByRole('link').count();
    expect(rows).toBe(created);
  });

  test('also covers the last 30 days, and names the covered days', async () => {
    const { page } = clinic.owner;
    await page.goto(clinic.address);
    await page.getByText('created in the last 7 days.').first().waitFor();
    const choice = page.getByRole('navigation', { name: 'Period' });
    await choice.getByRole('link', { name: '30 days' }).click();
    await page.getByText(`${tasks.length} tasks created in the last 30 days.`).waitFor();
    expect(await textOf(choice.locator('[aria-current]'))).toBe('30 days');
  });

  test("shows hours in the reader's time zone", async () => {
    const visitor = await newVisitor(clinic.browser, {
      timezoneId: 'Asia/Kolkata',
    });
    await signInAs(visitor.page, baseUrl, 'Olive Owner');
    await visitor.page.goto(clinic.address);
    await visitor.page
      .getByText('(Asia/Kolkata time)')
      .or(visitor.page.getByText('(Asia/Calcutta time)'))
      .waitFor();
    await visitor.context.close();
  });

  test('shows nothing about patients', async () => {
    const { page } = clinic.owner;
    const answer = await page.goto(clinic.address);
    const text = (await answer?.text()) ?? '';
    expect(text).not.toMatch(/Maya|Rivera|\+1202|Okafor/);
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
  });

  test('caused no browser violations', () => {
    expect(clinic.complaints()).toEqual([]);
  });
});
