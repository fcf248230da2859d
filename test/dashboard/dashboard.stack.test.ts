import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoPeople } from '../../infra/local/identity/demo-people.ts';
import {
  confirm,
  look,
  type Newcomers,
  newVisitor,
  noticeOn,
  openNewcomers,
  signInAs,
  textOf,
  tokenAndCookie,
  untilShown,
} from '../support/browser.ts';
import { eventually, stack } from '../support/stack.ts';
import { invitationLink } from '../support/stack-mail.ts';

const { baseUrl } = stack();

let newcomers: Newcomers;
beforeAll(async () => {
  newcomers = await openNewcomers();
});
afterAll(() => newcomers?.close());

async function askPatients(key: string): Promise<number> {
  const { status } = await fetch(`${baseUrl}/v1/patient`, { headers: { Authorization: `Bearer ${key}` } });
  return status;
}

describe('an owner at a browser', () => {
  let projectAddress: string;
  let key: string;

  test('signs in and returns to the requested page', async () => {
    const { page } = newcomers.owner;
    await page.goto(`${baseUrl}/dashboard/new-project`);
    await look(page, 'sign-in');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Olive Owner' }).click();
    await page.getByRole('heading', { name: 'New project', level: 1 }).waitFor();
    expect(page.url()).toBe(`${baseUrl}/dashboard/new-project`);
  });

  test('sees beside the fields what a new project lacks, and creates one', async () => {
    const { page } = newcomers.owner;
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await look(page, 'new-project-refused');
    await page.getByLabel('Name').fill('Riverside Family Clinic');
    await page.getByRole('button', { name: 'Create project' }).click();
    expect(await noticeOn(page)).toBe('The project was created.');
    projectAddress = page.url().replace(/\?.*/, '');
    await page.goto(`${baseUrl}/dashboard`);
    await page.getByRole('link', { name: 'Riverside Family Clinic' }).first().waitFor();
    await look(page, 'projects');
  });

  test('changes the settings, and sees problems without losing typed values', async () => {
    const { page } = newcomers.owner;
    await page.goto(`${projectAddress}/settings`);
    await look(page, 'general');
    await page.getByLabel('Start time').fill('9 o’clock');
    await page.getByLabel('Days to keep recordings').fill('90');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Start time').inputValue()).toBe('9 o’clock');
    await look(page, 'general-refused');
    await page.getByLabel('Start time').fill('09:00');
    await page.getByLabel('Retry delays (minutes)').fill('2.5, 30');
    await page.getByRole('checkbox', { name: 'Sunday' }).uncheck();
    await page.getByRole('button', { name: 'Save settings' }).click();
    expect(await noticeOn(page)).toBe('The settings were saved.');
    expect(await page.getByLabel('Start time').inputValue()).toBe('9:00 AM');
    expect(await page.getByLabel('Retry delays (minutes)').inputValue()).toBe('2.5, 30');
    expect(await page.getByLabel('Days to keep recordings').inputValue()).toBe('90');
    expect(await page.getByRole('checkbox', { name: 'Sunday' }).isChecked()).toBe(false);
  });

  test('generates a key that is shown once and opens the API', async () => {
    const { page } = newcomers.owner;
    await page.getByRole('link', { name: 'API Keys' }).click();
    await page.getByLabel('Name').fill('Scheduling server');
    await page.getByRole('button', { name: 'Generate New Key' }).click();
    key = await textOf(page.locator('#new-key'));
    expect(key).toMatch(/^vat_test_/);
    expect(await page.getByRole('button', { name: 'Copy key' }).isVisible()).toBe(true);
    await look(page, 'api-key-created');
    expect(await askPatients(key)).toBe(200);
    await page.goto(`${projectAddress}/api-keys`);
    expect(await page.content()).not.toContain(key);
    await look(page, 'api-keys');
  });

  test("finds the project's ID in the examples of the API documentation, which has one main landmark", async () => {
    const { page } = newcomers.owner;
    await page.getByRole('link', { name: 'API documentation' }).click();
    await page.getByRole('button', { name: 'POST /v1/patient', exact: false }).first().click();
    await page
      .getByText(new URL(projectAddress).pathname.split('/').at(-1) ?? '')
      .first()
      .waitFor();
    expect(await page.getByRole('main').count()).toBe(1);
    await page.goto(`${projectAddress}/api-keys`);
  });

  test('adds a webhook, sends a test, sees the delivery and resends it', async () => {
    const { page } = newcomers.owner;
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByLabel('Endpoint URL').fill('http://192.0.2.1/hook');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('alert').waitFor();
    await look(page, 'webhooks-refused');
    await page.getByLabel('Endpoint URL').fill(newcomers.receiver.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    expect(await noticeOn(page)).toBe('The webhook was saved.');
    await page.getByRole('button', { name: 'Reveal secret' }).click();
    newcomers.secret = await textOf(page.locator('#signing-secret'));
    expect(newcomers.secret).toMatch(/^whsec_/);
    await look(page, 'webhook-secret');
    await page.getByRole('button', { name: 'Send test event' }).click();
    expect(await noticeOn(page)).toContain('A test event is on its way');
    await untilShown(page, 'Delivered');
    await look(page, 'webhook');
    await page.getByText('Resend failed deliveries').click();
    const since = page.getByLabel('Failed since');
    await since.fill('2026-01-02');
    await since.blur();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Send test event' }).click();
    await other.close();
    await page.getByRole('link', { name: 'Details' }).nth(1).waitFor();
    expect(await since.inputValue()).toBe('2026-01-02');
    await page.getByRole('link', { name: 'Details' }).first().click();
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
    await page.getByRole('button', { name: 'Resend' }).click();
    expect(await noticeOn(page)).toBe('The delivery is being resent.');
    await untilShown(page, 'Attempt 2');
    await look(page, 'delivery');
  });

  test('adds a member, who sees everything but controls for changes', async () => {
    const { page } = newcomers.owner;
    await page.goto(`${projectAddress}/members`);
    await page.getByLabel('Email').fill('viewer@clinic.example.com');
    await page.getByRole('button', { name: 'Save member' }).click();
    expect(await noticeOn(page)).toBe('The invitation is on its way.');
    const link = await invitationLink(projectAddress.split('/').at(-1) ?? '', demoPeople.viewer);
    await untilShown(page, 'Invited');
    await look(page, 'members');

    await page.goto(`${projectAddress}/do-not-call`);
    await page.getByLabel('Phone number').fill('(202) 555-0143');
    await page.locator('#reason').fill('Asked by letter.');
    await page.getByRole('button', { name: 'Add number' }).click();
    expect(await noticeOn(page)).toBe('The number was added. It will not be called.');
    const file = { name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from('Phone\n202-555-0144\n') };
    await page.locator('#csv-file').setInputFiles(file);
    await page.locator('#import_reason').fill('From the old system.');
    await page.getByRole('button', { name: 'Import numbers' }).click();
    expect(await noticeOn(page)).toContain('The numbers were imported.');
    await page.getByRole('cell', { name: '+1 (202) 555-0144' }).waitFor();
    await look(page, 'do-not-call');

    const { viewer } = newcomers;
    await viewer.page.goto(link);
    await viewer.page.getByRole('link', { name: 'Sign in' }).click();
    await viewer.page.getByRole('button', { name: 'Victor Viewer' }).click();
    await viewer.page.getByRole('heading', { name: 'Join Riverside Family Clinic' }).waitFor();
    await look(viewer.page, 'join');
    await viewer.page.getByRole('button', { name: 'Join project' }).click();
    expect(await noticeOn(viewer.page)).toBe('You are a member of this project.');
    await viewer.page.goto(link);
    await look(viewer.page, 'join-again');
    for (const path of ['', '/api-keys', '/webhooks', '/do-not-call', '/members', '/audit-log']) {
      await viewer.page.goto(`${projectAddress}${path}`);
      await viewer.page.getByRole('heading', { level: 1 }).waitFor();
      expect(await viewer.page.locator('main form[method=post] button').count(), path).toBe(0);
      await look(viewer.page, `viewer${path.replace('/', '-')}`);
    }
    // What is not offered is refused, too, however it is requested.
    const [token, cookie] = await tokenAndCookie(viewer);
    const response = await fetch(`${projectAddress}/api-keys`, {
      method: 'POST',
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', Origin: baseUrl },
      body: new URLSearchParams({ name: 'Not mine to make', form_token: token }),
    });
    expect(response.status).toBe(403);
  });

  test('reads the changes in the audit log', async () => {
    const { page } = newcomers.owner;
    await page.goto(`${projectAddress}/audit-log`);
    const log = await textOf(page.getByRole('table'));
    for (const deed of ['Created the project', 'Generated an API key', 'Viewed a signing secret']) {
      expect(log).toContain(deed);
    }
    expect(log).not.toContain(key);
    await look(page, 'audit-log');
  });

  test('subscribes to a daily email of tasks that need attention', async () => {
    const { page } = newcomers.owner;
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('radio', { name: 'Daily digest' }).check();
    await page.getByRole('button', { name: 'Save alerts' }).click();
    expect(await noticeOn(page)).toBe('Your alerts were saved.');
    expect(await page.getByRole('radio', { name: 'Daily digest' }).isChecked()).toBe(true);
    await look(page, 'alerts');
    await page.goto(`${baseUrl}/dashboard/unsubscribe/none/none`);
    await look(page, 'unsubscribe');
    await page.goto(projectAddress);
  });

  test('revokes the key, which is refused within ten seconds', async () => {
    const { page } = newcomers.owner;
    await page.goto(`${projectAddress}/api-keys`);
    const revoke = page.locator('summary', { hasText: 'Revoke' }).first();
    await revoke.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await page.locator('details.confirm[open]').count()).toBe(0);
    expect(await page.evaluate("document.activeElement.matches('details.confirm > summary')")).toBe(true);
    await confirm(page, 'Revoke');
    expect(await noticeOn(page)).toContain('The key was revoked');
    await eventually('the key to be refused', async () => ((await askPatients(key)) === 401 ? true : null));
  });

  test('gets each page with one request, of less than 100 KB', async () => {
    const { page } = newcomers.owner;
    const paths = [
      'settings',
      'api-keys',
      'webhooks',
      'members',
      'audit-log',
      'tasks',
      'patients',
      'new-patient',
    ];
    for (const path of ['', ...paths.map((name) => `/${name}`)]) {
      const painting: string[] = [];
      const note = (request: { url(): string; resourceType(): string }): void => {
        if (request.resourceType() !== 'script') painting.push(request.url());
      };
      page.on('request', note);
      const response = await page.goto(`${projectAddress}${path}`);
      page.off('request', note);
      expect(painting.filter((url) => !url.startsWith('data:'))).toEqual([`${projectAddress}${path}`]);
      expect((await response?.body())?.byteLength).toBeLessThan(100_000);
    }
  });

  test('can do all of it without scripts', async () => {
    const context = await newcomers.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await signInAs(page, baseUrl, 'Olive Owner');
    await page.goto(`${projectAddress}/api-keys`);
    await page.getByLabel('Name').fill('Without scripts');
    await page.getByRole('button', { name: 'Generate New Key' }).click();
    const made = await textOf(page.locator('#new-key'));
    expect(await askPatients(made)).toBe(200);
    await page.goto(`${projectAddress}/api-keys`);
    await confirm(page, 'Revoke');
    expect(await noticeOn(page)).toContain('The key was revoked');
    await context.close();
  });

  test('sends a form once despite a second click before the response', async () => {
    const { page } = newcomers.owner;
    await page.goto(`${baseUrl}/dashboard/new-project`);
    await page.getByLabel('Name').fill('Clicked Twice');
    const stopped = await page.evaluate(`(() => {
      const stopped = [];
      addEventListener('submit', (event) => stopped.push(event.defaultPrevented));
      const button = document.querySelector('main button');
      button.click();
      button.click();
      return stopped;
    })()`);
    expect(stopped).toEqual([false, true]);
    expect(await noticeOn(page)).toBe('The project was created.');
    await page.goto(`${baseUrl}/dashboard`);
    expect(await page.getByRole('link', { name: 'Clicked Twice' }).count()).toBe(1);
  });

  test('sees local times on every page, including the first', async () => {
    const { context, page } = await newVisitor(newcomers.browser, { timezoneId: 'America/Chicago' });
    await signInAs(page, baseUrl, 'Olive Owner');
    for (const address of [`${baseUrl}/dashboard`, `${projectAddress}/audit-log`]) {
      await page.goto(address);
      expect(await textOf(page.locator('time').first()), address).toMatch(/\sC[SD]T$/);
    }
    await context.close();
  });

  test('sees no project without membership', async () => {
    const { viewer } = newcomers;
    await viewer.page.goto(`${baseUrl}/dashboard/projects/01a1fc97-58bc-708f-8a0c-7cb537214c80`);
    await viewer.page.getByRole('heading', { name: 'Not found' }).waitFor();
    await look(viewer.page, 'not-found');
  });

  test('signs out, and loses access to the pages', async () => {
    const { page } = newcomers.owner;
    await page.goto(projectAddress);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL((url) => url.origin !== baseUrl);
    await page.goto(projectAddress);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
  });

  test('caused no browser violations', () => {
    expect(newcomers.complaints()).toEqual([]);
  });
});
