import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  confirm,
  heardOn,
  type Newcomers,
  noteHeard,
  noticeOn,
  openNewcomers,
  signInAs,
  textOf,
} from '../support/browser.ts';
import { eventually, stack } from '../support/stack.ts';

/*
 * Everything that a clinic does from its first sign-in on, in that order; each step depends on the ones
 * before.
 */

const { baseUrl } = stack();

let newcomers: Newcomers;
beforeAll(async () => {
  newcomers = await openNewcomers();
});
afterAll(() => newcomers?.close());

describe('a new clinic', () => {
  let projectId: string;
  let key: string;

  const ask = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${baseUrl}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test('signs in and creates a project', async () => {
    const { page } = newcomers.owner;
    await signInAs(page, baseUrl, 'Olive Owner');
    await page.getByRole('link', { name: 'New project' }).first().click();
    await page.getByLabel('Name').fill('Harbor Street Clinic');
    await page.getByRole('button', { name: 'Create project' }).click();
    expect(await noticeOn(page)).toBe('The project was created.');
    projectId = /projects\/([0-9a-f-]+)/.exec(page.url())?.[1] ?? '';
  });

  test('generates a key, and creates a patient with it', async () => {
    const { page } = newcomers.owner;
    await page.getByRole('link', { name: 'API Keys' }).click();
    await page.getByLabel('Name').fill('Scheduling server');
    await page.getByRole('button', { name: 'Generate New Key' }).click();
    key = await textOf(page.locator('#new-key'));
    const registered = await ask('POST', '/patient', {
      project_id: projectId,
      first_name: 'Maya',
      last_name: 'Rivera',
      phone_number: '+12025550142',
      date_of_birth: '1984-07-12',
    });
    expect(registered.status).toBe(201);
  });

  test('adds a webhook, and gives its receiver the secret', async () => {
    const { page } = newcomers.owner;
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByLabel('Endpoint URL').fill(newcomers.receiver.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    expect(await noticeOn(page)).toBe('The webhook was saved.');
    await page.getByRole('button', { name: 'Reveal secret' }).click();
    newcomers.secret = await textOf(page.locator('#signing-secret'));
  });

  test('creates a task with the form', async () => {
    const { page } = newcomers.owner;
    await page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await page.getByRole('link', { name: 'New task' }).click();
    await page.getByRole('link', { name: 'Schedule an appointment' }).click();
    await page
      .getByLabel('Patient', { exact: true })
      .selectOption({ label: 'Maya Rivera, born Jul 12, 1984' });
    await page.getByLabel('Goal').fill('Schedule an annual physical.');
    await page.getByLabel('Number to call').fill('+12025550100');
    await page.getByLabel('Patient availability').fill('Weekday mornings within the next two weeks');
    await page.getByRole('button', { name: 'Create task' }).last().click();
    expect(await noticeOn(page)).toBe('The task was created.');
  });

  test('watches it complete, up to the webhook, without a reload', async () => {
    const { page } = newcomers.owner;
    await page.evaluate('window.isSamePage = true');
    const happened = (text: string) => page.getByRole('listitem').filter({ hasText: text }).first();
    await happened('Call 1 ended').waitFor({ timeout: 90_000 });
    await happened('Webhook Delivered').waitFor({ timeout: 90_000 });
    await page.locator('audio').waitFor({ timeout: 90_000 });
    expect(await textOf(page.locator('#task'))).toContain('Appointment booked for');
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(
      newcomers.receiver.received.map(({ event, signatureValid }) => [event, signatureValid]),
    ).toContainEqual(['task.completed', true]);
  });

  test('plays the recording, with the spoken words highlighted', async () => {
    const { page } = newcomers.owner;
    await noteHeard(page);
    await page.locator('audio').focus();
    await page.keyboard.press('Space');
    const [first, second] = await heardOn(page, 2);
    expect(first).toContain('Voice agent · 0:00');
    expect(second).toContain('Person called');
    await page.keyboard.press('Space');
  });

  test('resends the delivery, which the receiver gets again and the page shows without a reload', async () => {
    const { page } = newcomers.owner;
    const arrivals = () =>
      newcomers.receiver.received.filter(({ event }) => event === 'task.completed').length;
    const before = arrivals();
    await page.getByRole('link', { name: newcomers.receiver.url }).click();
    await page.getByRole('button', { name: 'Resend' }).click();
    expect(await noticeOn(page)).toBe('The delivery is being resent.');
    await page.getByRole('heading', { name: 'Attempt 2' }).waitFor({ timeout: 90_000 });
    await page.locator('#delivery').getByText('Delivered').waitFor();
    expect(arrivals()).toBe(before + 1);
    expect(newcomers.receiver.received.every(({ signatureValid }) => signatureValid)).toBe(true);
  });

  test('revokes the key, which no longer works', async () => {
    const { page } = newcomers.owner;
    expect((await ask('GET', '/patient')).status).toBe(200);
    await page.getByRole('link', { name: 'API Keys' }).click();
    await confirm(page, 'Revoke');
    expect(await noticeOn(page)).toContain('The key was revoked');
    await eventually('the key to be refused', async () =>
      (await ask('GET', '/patient')).status === 401 ? true : null,
    );
  });

  test('caused no browser violations', () => {
    expect(newcomers.complaints()).toEqual([]);
  });
});
