import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clinic, look, newVisitor, openClinic, signInAs, textOf } from '../support/browser.ts';
import { eventually, stack, sweep } from '../support/stack.ts';

/* Numbers of the sandbox phone. */
const busy = '+12025550110';
const voicemail = '+12025550112';
const busyTwice = '+12025550121';

const { baseUrl } = stack();

let clinic: Clinic;
let patientId: string;
beforeAll(async () => {
  clinic = await openClinic({ redialPolicy: { max_attempts: 4, delays_seconds: [2, 2, 3600] } });
  patientId = await clinic.register();
});
afterAll(() => clinic?.close());

const order = (phone_number: string, task: string): Promise<string> =>
  clinic.order(patientId, { phone_number, task });

async function cancel(taskId: string): Promise<void> {
  expect((await clinic.client.request('POST', `/v1/task/${taskId}/cancel`)).status).toBe(200);
}

/** Gone after a full reload of the page. */
async function mark(page: Page): Promise<void> {
  await page.evaluate('window.isSamePage = true');
}

async function isMarked(page: Page): Promise<boolean> {
  return (await page.evaluate('window.isSamePage')) === true;
}

/** The focused element, and its position on the screen. */
async function focused(page: Page): Promise<unknown> {
  return page.evaluate(`({
    text: document.activeElement.textContent,
    top: Math.round(document.activeElement.getBoundingClientRect().top),
  })`);
}

/** Without a reload; work that is due starts immediately, not at the next minute. */
async function untilShown(page: Page, selector: string): Promise<void> {
  await eventually(selector, async () => {
    await sweep();
    return (await page.locator(selector).count()) > 0 ? true : null;
  });
}

const announcement = '#live-news';

describe('a page that is open during calls', () => {
  test("shows new tasks and changes, and keeps the reader's place", async () => {
    const { page } = clinic.owner;
    const waiting = await order(busy, 'The first one.');
    await page.goto(`${clinic.address}/tasks`);
    await mark(page);
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.getByRole('link', { name: 'The first one.' }).focus();
    const before = await focused(page);

    const another = await order(busy, 'The second one.');
    await page.getByRole('link', { name: 'The second one.' }).waitFor();
    expect(await focused(page)).toEqual(before);
    const names = await page.getByRole('table').getByRole('cell').getByRole('link').allTextContents();
    expect(names).toEqual(['The second one.', 'The first one.']);

    await page.getByLabel('Search').fill('Riv');
    await cancel(waiting);
    await page.getByRole('row', { name: 'The first one.' }).getByText('Canceled', { exact: true }).waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('Riv');
    expect(await textOf(page.locator(announcement))).toBe('Canceled: The first one.');
    expect(await page.locator(announcement).getAttribute('role')).toBe('status');
    expect(await isMarked(page)).toBe(true);
    await cancel(another);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('keeps opened sections, and moves focus to the page if the focused element is gone', async () => {
    const { page } = clinic.owner;
    const taskId = await order(busy, 'Call again and again.');
    await page.goto(`${clinic.address}/tasks/${taskId}`);
    await mark(page);
    const confirm = page.locator('#cancel');
    await confirm.locator('summary').click();
    await confirm.getByRole('button').focus();
    await untilShown(page, 'main:has-text("Call 3 ended") #cancel[open] button:focus');
    await cancel(taskId);
    await confirm.waitFor({ state: 'detached', timeout: 90_000 });
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    expect(await textOf(page.locator(announcement))).toBe('The task has ended: Canceled.');
    expect(await isMarked(page)).toBe(true);
  });

  test('shows the conversation of the answered call, after unanswered ones', async () => {
    const { page } = clinic.owner;
    const taskId = await order(busyTwice, 'Call until somebody answers.');
    await page.goto(`${clinic.address}/tasks/${taskId}`);
    await untilShown(page, 'main:has-text("Call 3 ended") [data-conversation] h2');
    expect(await page.locator('[data-conversation] h2').allTextContents()).toEqual(['Call 3']);
    for (const attempt of [2, 3]) {
      const began = page.getByRole('listitem').filter({ hasText: `Call ${attempt} began` });
      expect(await textOf(began)).toContain(`The line was busy. Attempt ${attempt} of 4 scheduled.`);
    }
    await look(page, 'task-called-three-times');
  });

  test('keeps playing a recording through changes', async () => {
    const { page } = clinic.owner;
    const taskId = await order(voicemail, 'Leave a message.');
    await page.goto(`${clinic.address}/tasks/${taskId}`);
    await mark(page);
    const player = page.locator('audio').first();
    await player.waitFor({ timeout: 90_000 });
    await page.evaluate("window.player = document.querySelector('audio')");
    await page.evaluate('player.loop = true');
    await player.focus();
    await page.keyboard.press('Space');
    await page.locator('.conversation .heard').first().waitFor();
    await cancel(taskId);
    await page.getByText('The task has ended: Canceled.').waitFor({ state: 'attached' });
    expect(await page.evaluate('player.isConnected && !player.paused && player.currentTime > 0')).toBe(true);
    expect(await page.evaluate('document.activeElement === player')).toBe(true);
    expect(await page.locator('.conversation .heard').count()).toBe(1);
    expect(await isMarked(page)).toBe(true);
  });
});

test('a page without scripts offers a reload', async () => {
  const { context, page } = await newVisitor(clinic.browser, { javaScriptEnabled: false });
  await signInAs(page, baseUrl, 'Olive Owner');
  await page.goto(`${clinic.address}/tasks?status=CANCELLED`);
  await page.getByRole('link', { name: 'Refresh' }).click();
  expect(page.url()).toBe(`${clinic.address}/tasks?status=CANCELLED`);
  await context.close();
  await clinic.owner.page.goto(`${clinic.address}/tasks`);
  expect(await clinic.owner.page.getByRole('link', { name: 'Refresh' }).count()).toBe(0);
});

describe('times', () => {
  beforeAll(() => order(busy, 'Called at some moment.'));

  test("are in the reader's time zone", async () => {
    const { context, page } = await newVisitor(clinic.browser, { timezoneId: 'America/Chicago' });
    await signInAs(page, baseUrl, 'Olive Owner');
    await page.goto(`${clinic.address}/audit-log`);
    const moment = page.locator('time').first();
    const at = new Date(String(await moment.getAttribute('datetime')));
    const hour = at.toLocaleTimeString('en-US', {
      timeZone: 'America/Chicago',
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
    });
    // The zone has the name it had on that day, in winter or in summer.
    expect(await textOf(moment)).toMatch(new RegExp(`${hour.replace(/\s/, '\\s')}\\sC[SD]T$`));
    await context.close();
  });

  test('are in UTC without scripts', async () => {
    const { context, page } = await newVisitor(clinic.browser, {
      timezoneId: 'America/Chicago',
      javaScriptEnabled: false,
    });
    await signInAs(page, baseUrl, 'Olive Owner');
    await page.goto(`${clinic.address}/audit-log`);
    const moment = page.locator('time').first();
    const at = new Date(String(await moment.getAttribute('datetime')));
    expect(await textOf(moment)).toMatch(new RegExp(`:${at.toISOString().slice(14, 19)}\\s[AP]M\\sUTC$`));
    await context.close();
  });
});

test('caused no browser violations', () => {
  expect(clinic.complaints()).toEqual([]);
});
