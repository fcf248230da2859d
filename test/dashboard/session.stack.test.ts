import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { touchSession } from '#shared/table/session.ts';
import {
  look,
  newVisitor,
  noticeOn,
  openVisitors,
  signInAs,
  tokenAndCookie,
  type Visitor,
  type Visitors,
} from '../support/browser.ts';
import { stack, stackTable } from '../support/stack.ts';

const { baseUrl } = stack();

let visitors: Visitors;
beforeAll(async () => {
  visitors = await openVisitors();
});
afterAll(() => visitors?.close());

/** As if the session had been idle for so long. */
async function idleFor(context: Visitor['context'], minutes: number): Promise<void> {
  const cookie = (await context.cookies()).find(({ name }) => name === 'vat_session');
  const cookieHash = createHash('sha256').update(String(cookie?.value)).digest('hex');
  expect(
    await touchSession(stackTable(), cookieHash, new Date(Date.now() - minutes * 60_000).toISOString()),
  ).toBe(true);
}

describe('a request from another site', () => {
  test("changes nothing without the signed-in person's token, or from another site", async () => {
    const { context, page } = await newVisitor(visitors.browser);
    await signInAs(page, baseUrl, 'Olive Owner');
    const [token, cookie] = await tokenAndCookie({ context, page });
    const post = (body: Record<string, string>, headers: Record<string, string>) =>
      fetch(`${baseUrl}/dashboard/new-project`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: cookie, ...headers },
        body: new URLSearchParams({
          form_key: crypto.randomUUID(),
          name: 'Forged',
          ...body,
        }),
      });
    const ours = { 'Sec-Fetch-Site': 'same-origin', Origin: baseUrl };
    expect((await post({}, ours)).status).toBe(403);
    expect((await post({ form_token: token.slice(1) }, ours)).status).toBe(403);
    expect((await post({ form_token: token }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await post({ form_token: token }, { Origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await post({ form_token: token }, {})).status).toBe(403);
    expect((await post({ form_token: token }, ours)).status).toBe(303);
    await context.close();
  });

  test('gets headers on every page that forbid foreign scripts, framing and caching', async () => {
    const { headers } = await fetch(`${baseUrl}/dashboard`);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).not.toBe(null);
  });
});

describe('the end of a session', () => {
  test('loses nothing of a form sent after it', async () => {
    const { context, page } = await newVisitor(visitors.browser);
    await signInAs(page, baseUrl, 'Olive Owner');
    await page.goto(`${baseUrl}/dashboard/new-project`);
    await page.getByLabel('Name').fill('Filled In Slowly');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await look(page, 'kept-form');
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in' }).click();
    const tab = await opened;
    await tab.getByRole('button', { name: 'Olive Owner' }).click();
    await tab.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Send the form again' }).click();
    expect(await noticeOn(page)).toBe('The project was created.');
    await page.getByText('Filled In Slowly').first().waitFor();
    await context.close();
  });

  test('is announced, and people continue where they were after signing in again', async () => {
    const { context, page } = await newVisitor(visitors.browser);
    await page.clock.install();
    await signInAs(page, baseUrl, 'Olive Owner');
    await page.goto(`${baseUrl}/dashboard/new-project`);
    await page.getByLabel('Name').fill('Typed Before The End');
    await idleFor(context, 13.5);
    await page.clock.fastForward('13:30');
    await page.getByRole('heading', { name: 'Are you still there?' }).waitFor();
    await look(page, 'session-warning');
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await idleFor(context, 16);
    await page.clock.fastForward('16:00');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(await page.getByLabel('Name').isVisible()).toBe(false);
    await look(page, 'session-ended');
    await page.getByRole('button', { name: 'Continue with this page' }).click();
    await page.getByText('You are not signed in yet.').waitFor();
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in' }).click();
    const tab = await opened;
    await tab.getByRole('button', { name: 'Olive Owner' }).click();
    await tab.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.bringToFront();
    await page.getByRole('button', { name: 'Continue with this page' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed Before The End');
    await context.close();
  });
});
