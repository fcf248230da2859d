import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { type Clinic, look, noticeOn, openClinic, textOf } from '../support/browser.ts';
import { newTestClient, stack } from '../support/stack.ts';
import { typed, typedAddress, typedInsurance, typedProvider } from './typed-patient.ts';

const { baseUrl } = stack();

let clinic: Clinic;
/** Every URL that the owner's browser requested. */
const addresses: string[] = [];
beforeAll(async () => {
  clinic = await openClinic();
  clinic.owner.page.on('request', (request) => addresses.push(request.url()));
});
afterAll(() => clinic?.close());

const [insurance] = demoPatient.insurance.medical;
const secondInsurance = {
  company_name: 'Example Second Plan',
  member_id: 'ESP77',
  phone_number: '+12025550102',
};
const visionInsurance = {
  company_name: 'Example Vision',
  relationship_to_subscriber: 'SPOUSE',
  primary_subscriber: { first_name: 'Sam', last_name: 'Rivera' },
};

/** Opens the part of the form with the insurances of a kind. */
async function part(page: Page, name: string): Promise<Locator> {
  const details = page.locator('details', { hasText: name });
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
  return details;
}

async function fillAll(within: Page | Locator, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(texts))
    await within.getByLabel(label, { exact: true }).fill(text);
}

/** Identifiers of the patients, newest first, as the API lists them. */
async function listed(): Promise<string[]> {
  const { body } = await clinic.client.request('GET', '/v1/patient?limit=100');
  return body.patients.map(({ id }: { id: string }) => id);
}

/** What the page's form would send now. */
async function formOf(page: Page, changes: Readonly<Record<string, string>> = {}) {
  const form: Record<string, string> = {};
  for (const input of await page.locator('main form').locator('input, select').all()) {
    form[(await input.getAttribute('name')) ?? ''] = await input.inputValue();
  }
  return { ...form, ...changes };
}

describe('a patient at a browser', () => {
  let patientAddress: string;

  test('is added by a form that loses nothing when refused', async () => {
    const { page } = clinic.owner;
    await page.goto(`${clinic.address}/patients`);
    await page.getByText('No patients yet.').waitFor();
    await page.getByRole('link', { name: 'New patient' }).click();
    await page.getByRole('heading', { name: 'New patient', level: 1 }).waitFor();
    await look(page, 'new-patient');
    // No browser fills in what it knows about its user.
    const filledByBrowsers = 'main input:not([type=hidden], [autocomplete=off])';
    expect(await page.locator(filledByBrowsers).count()).toBe(0);
    const { Country: _, ...incomplete } = typedAddress;
    await fillAll(page, { ...typed, ...incomplete, ...typedProvider, 'Phone number': '555 0142' });
    const medical = await part(page, 'Medical insurance');
    await fillAll(medical, { ...typedInsurance, 'Company phone number': 'on the card' });
    await medical.getByLabel('Relationship to subscriber').selectOption('Self');
    await page.getByRole('button', { name: 'Add patient' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').getByRole('link').count()).toBe(3);
    for (const [label, text] of Object.entries({
      ...typed,
      ...incomplete,
      ...typedProvider,
      'Phone number': '555 0142',
    })) {
      expect(await page.getByLabel(label, { exact: true }).inputValue(), label).toBe(text);
    }
    for (const [label, text] of Object.entries(typedInsurance)) {
      expect(await medical.getByLabel(label).first().inputValue(), label).toBe(
        label === 'Company phone number' ? 'on the card' : text,
      );
    }
    expect(await medical.getByLabel('Relationship to subscriber').inputValue()).toBe('SELF');
    await look(page, 'new-patient-refused');
    await page.getByRole('alert').getByRole('link').first().click();
    expect(await page.evaluate('document.activeElement.name')).toBe('phone_number');
    expect(await page.getByLabel('Phone number', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  });

  test('is added with all data, including several insurances of a kind', async () => {
    const { page } = clinic.owner;
    await fillAll(page, { 'Phone number': typed['Phone number'], Country: typedAddress.Country });
    const medical = await part(page, 'Medical insurance');
    await fillAll(medical, { 'Company phone number': typedInsurance['Company phone number'] });
    await medical.getByRole('button', { name: 'Add another medical insurance' }).click();
    const second = page.getByRole('group', { name: 'Medical insurance 2' });
    await second.waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('insurance-medical-1');
    await fillAll(second, {
      Company: secondInsurance.company_name,
      'Member ID': secondInsurance.member_id,
      'Company phone number': secondInsurance.phone_number,
    });
    const vision = await part(page, 'Vision insurance');
    await fillAll(vision, {
      Company: visionInsurance.company_name,
      'Subscriber’s first name': 'Sam',
      'Subscriber’s last name': 'Rivera',
    });
    await vision.getByLabel('Relationship to subscriber').selectOption('Spouse');
    await look(page, 'new-patient-filled');
    await page.getByRole('button', { name: 'Add patient' }).click();
    expect(await noticeOn(page)).toBe('The patient was added.');
    patientAddress = page.url().replace(/\?.*/, '');
    const id = patientAddress.split('/').at(-1);
    expect((await clinic.client.request('GET', `/v1/patient/${id}`)).body).toMatchObject({
      ...demoPatient,
      insurance: { medical: [insurance, secondInsurance], vision: [visionInsurance] },
    });
    expect(await listed()).toEqual([id]);
  });

  test('is audited as created and viewed, without personal data', async () => {
    const { page } = clinic.owner;
    await page.goto(`${clinic.address}/audit-log`);
    for (const action of ['Added a patient', 'Viewed a patient']) {
      await page.getByRole('cell', { name: action, exact: true }).first().waitFor();
    }
    expect(await page.content()).not.toMatch(/rivera|juniper|EHP204518837/i);
  });

  test('is edited, and the page shows who changed what', async () => {
    const { page } = clinic.owner;
    await page.goto(patientAddress);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Edit patient' }).waitFor();
    await look(page, 'edit-patient');
    await page.getByLabel('City', { exact: true }).fill('Chatham');
    await page.getByRole('button', { name: 'Save patient' }).first().click();
    expect(await noticeOn(page)).toBe('The patient was saved.');
    await page.getByRole('row', { name: /owner@clinic\.example\.com address/ }).waitFor();
    await look(page, 'patient-edited');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('City', { exact: true }).fill(typedAddress.City);
    await page.getByRole('button', { name: 'Save patient' }).first().click();
    expect(await noticeOn(page)).toBe('The patient was saved.');
  });

  test('who may be a duplicate is added only on confirmation', async () => {
    const { page } = clinic.owner;
    await clinic.untilIndexed('1984-07-12', 1);
    await page.goto(`${clinic.address}/new-patient`);
    await fillAll(page, { ...typed, 'First name': 'MAYA', 'Phone number': '202-555-0144' });
    await page.getByRole('button', { name: 'Add patient' }).first().click();
    await page.getByRole('link', { name: 'Maya Rivera (in a new tab)' }).waitFor();
    await look(page, 'new-patient-twice');
    expect(await listed()).toHaveLength(1);
  });

  test('has a page with all data and tasks', async () => {
    const { page } = clinic.owner;
    await page.goto(patientAddress);
    const main = page.getByRole('main');
    for (const text of [
      'Maya Rivera',
      'Jul\u00a012,\u00a01984',
      '+1 (202) 555-0142',
      'maya.rivera@example.com',
      '18 Juniper Lane, Springfield, IL 62704, US',
      'Dr. Helen Okafor, Riverside Family Clinic',
      'Medical insurance 1',
      'EHP204518837',
      'Medical insurance 2',
      'Example Second Plan',
      'Vision insurance',
      'Sam Rivera',
      'No tasks for this patient yet.',
    ]) {
      expect(await textOf(main)).toContain(text);
    }
    const patientId = patientAddress.split('/').at(-1) ?? '';
    for (let task = 1; task <= 11; task += 1) {
      const wishes = { task: `Schedule visit ${task}.`, call_after: '2099-01-01T00:00:00Z' };
      const id = await clinic.order(patientId, wishes);
      await clinic.client.request('POST', `/v1/task/${id}/cancel`);
    }
    await page.reload();
    const tasks = page.getByRole('table', { name: 'Tasks' }).getByRole('link');
    expect(await tasks.count()).toBe(10);
    expect(await textOf(tasks.first())).toBe('Schedule visit 11.');
    await look(page, 'patient');
    await page.getByRole('link', { name: 'All tasks of the patient' }).click();
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
    expect(
      await page
        .getByRole('table')
        .getByRole('link', { name: /^Schedule visit/ })
        .count(),
    ).toBe(11);
    await page.getByRole('link', { name: 'Schedule visit 3.' }).click();
    await page.getByRole('link', { name: 'Maya Rivera' }).click();
    await page.getByRole('heading', { name: 'Maya Rivera', level: 1 }).waitFor();
    expect(page.url()).toBe(patientAddress);
    await page.getByRole('link', { name: 'New task' }).click();
    await page.waitForURL(`${clinic.address}/new-task?patient_id=${patientId}`);
  });

  test('is one patient however often the form is sent: at once, later, or after going back', async () => {
    const { page } = clinic.owner;
    const before = await listed();
    await page.goto(`${clinic.address}/new-patient`);
    await fillAll(page, { ...typed, 'First name': 'Oscar', 'Last name': 'Lindgren' });
    const form = await formOf(page);
    await page.getByLabel('Email').press('Enter');
    expect(await noticeOn(page)).toBe('The patient was added.');
    const address = page.url().replace(/\?.*/, '');
    const send = async (sent: Record<string, string>) => {
      const answer = await page.request.post(`${clinic.address}/new-patient`, {
        form: sent,
        headers: { Origin: new URL(baseUrl).origin },
        maxRedirects: 0,
      });
      return { status: answer.status(), location: answer.headers().location, text: await answer.text() };
    };
    for (const again of await Promise.all([send(form), send(form), send(form)])) {
      expect(again).toMatchObject({ status: 303 });
      expect(new URL(again.location ?? '', baseUrl).href).toBe(`${address}?done=patient-created`);
    }
    const changed = await send({ ...form, first_name: 'Olga' });
    expect(changed.status).toBe(400);
    expect(changed.text).toContain('This form was already sent');
    expect(changed.text).toContain('Olga');
    // Whatever a browser restores when it goes back to the form, the form is not sent as a new one.
    await page.goBack();
    await page.getByRole('button', { name: 'Add patient' }).click();
    await page.getByText(/Please fix the following|The patient was added/).waitFor();
    expect(await listed()).toHaveLength(before.length + 1);
    await page.goto(`${clinic.address}/new-patient`);
    await fillAll(page, { ...typed, 'First name': 'Twice', 'Last name': 'Clicked' });
    await page.getByRole('button', { name: 'Add patient' }).dblclick();
    expect(await noticeOn(page)).toBe('The patient was added.');
    expect(await listed()).toHaveLength(before.length + 2);
  });

  test('is in a list, newest first, in pages', async () => {
    const { page } = clinic.owner;
    for (let number = 1; number <= 25; number += 1) {
      await clinic.register({ first_name: 'Patient', last_name: `Number${number}` });
    }
    await page.goto(`${clinic.address}/patients`);
    const links = page.getByRole('table', { name: 'Patients' }).getByRole('link');
    expect(await links.count()).toBe(25);
    expect(await textOf(links.first())).toBe('Patient Number25');
    await page.getByRole('link', { name: 'Older patients' }).click();
    await page.getByRole('heading', { name: 'Older patients', level: 2 }).waitFor();
    expect(await links.allTextContents()).toEqual(['Twice Clicked', 'Oscar Lindgren', 'Maya Rivera']);
    await look(page, 'patients');
    await links.last().click();
    await page.getByRole('heading', { name: 'Maya Rivera' }).waitFor();
  });

  test('is found by name or ID, with a link to their page', async () => {
    const { page } = clinic.owner;
    const search = async (text: string) => {
      await page.goto(`${clinic.address}/patients`);
      await page.getByLabel('Search').fill(text);
      await page.getByRole('button', { name: 'Search' }).click();
    };
    await search(patientAddress.split('/').at(-1) ?? '');
    await page.getByRole('heading', { name: 'Maya Rivera', level: 1 }).waitFor();
    expect(page.url()).toBe(patientAddress);
    await search('nobody at all');
    await page.getByText('No matches.').waitFor();
    await search('rivera ma');
    const hit = page.getByRole('link', { name: 'Maya Rivera', exact: true });
    await hit.click();
    await page.getByRole('heading', { name: 'Maya Rivera', level: 1 }).waitFor();
    await page.goBack();
    await hit.click();
    await page.getByRole('heading', { name: 'Maya Rivera', level: 1 }).waitFor();
    expect(page.url()).toBe(patientAddress);
  });

  test('is visible to a viewer, who cannot add or create anything', async () => {
    const { page } = clinic.viewer;
    await page.goto(`${clinic.address}/patients`);
    await page.getByRole('heading', { name: 'Patients', level: 1 }).waitFor();
    expect(await page.getByText('New patient').count()).toBe(0);
    const token = await page.locator('input[name=form_token]').first().inputValue();
    await page.goto(patientAddress);
    await page.getByRole('heading', { name: 'Maya Rivera' }).waitFor();
    expect(await page.getByText('New task').count()).toBe(0);
    expect((await page.goto(`${clinic.address}/new-patient`))?.status()).toBe(403);
    const before = await listed();
    const answer = await page.request.post(`${clinic.address}/new-patient`, {
      form: { form_token: token, form_key: crypto.randomUUID(), first_name: 'Maya', last_name: 'Rivera' },
      headers: { Origin: new URL(baseUrl).origin },
      maxRedirects: 0,
    });
    expect(answer.status()).toBe(403);
    expect(await answer.text()).toContain('Only an owner, a manager or staff of the project may do this');
    expect(await listed()).toEqual(before);
  });

  test('is hidden from people outside the project', async () => {
    const { page } = clinic.owner;
    const other = await newTestClient({ members: [{ email: 'owner@clinic.example.com', role: 'owner' }] });
    await other.stop();
    const otherPatients = `${baseUrl}/dashboard/projects/${other.projectId}/patients`;
    for (const id of [patientAddress.split('/').at(-1), crypto.randomUUID(), 'no-identifier']) {
      expect((await page.goto(`${otherPatients}/${id}`))?.status()).toBe(404);
    }
  });

  test('is in no URL', () => {
    expect(addresses.filter((address) => address.startsWith(patientAddress))).not.toEqual([]);
    expect(
      addresses.filter((address) => /maya|rivera|oscar|lindgren|juniper|2025550142|1984-07/i.test(address)),
    ).toEqual([]);
  });

  test('caused no browser violations', () => {
    expect(clinic.complaints()).toEqual([]);
  });
});
