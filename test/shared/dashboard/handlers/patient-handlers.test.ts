import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Person } from '#shared/domain/person.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { getPatient, getPatientUse, usePatientItem } from '#shared/table/patient.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedDashboard, startEmbeddedDashboard } from '../../../support/dashboard-pages.ts';
import { sampleTask } from '../../../support/sample-tasks.ts';
import { indexForSearch } from '../../../support/search-index.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: EmbeddedDashboard['pages'];
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
});
afterAll(() => dashboard.stop());

const owner: Person = { subject: 'owner', email: 'owner@clinic.example.com', name: null };

describe('the search for a patient', () => {
  test('is shown again by Back and reload, to the person who searched, and is unreadable in the URL', async () => {
    const projectId = await newProject();
    const patientId = await add(projectId);
    await add(projectId, { first_name: 'Zoelle' });
    const merge = pages.links.patient(projectId, patientId, '/merge');
    for (const [address, form] of [
      [pages.links.find(projectId), pages.links.patients(projectId)],
      [`${merge}/search`, merge],
    ] as const) {
      const sent = await pages.ask(owner, address, { text: 'zoe obrien', from: 'patients' });
      expect(sent.statusCode).toBe(303);
      const location = String(sent.headers?.location);
      expect(location).not.toMatch(/zoe|brien/i);
      for (let time = 0; time < 2; time += 1) {
        const { body } = await pages.ask(owner, location);
        expect(body).toContain('value="zoe obrien"');
        expect(body).toContain('Zoelle O’Brien');
      }
      const other = await pages.ask({ ...owner, subject: 'another' }, location);
      expect(other.headers?.location).toBe(form);
      const long = await pages.ask(owner, address, { text: 'z'.repeat(100_000) });
      expect(String(long.headers?.location).length).toBeLessThan(2000);
    }
  });

  test('redirects a bookmarked result to the search form', async () => {
    const projectId = await newProject();
    const { statusCode, headers } = await pages.ask(owner, pages.links.find(projectId));
    expect([statusCode, headers?.location]).toEqual([303, pages.links.patients(projectId)]);
    const elsewhere = await pages.ask(owner, pages.links.find(randomUUID()));
    expect(elsewhere.statusCode).toBe(404);
  });
});

describe('a search', () => {
  test.each([
    ['', 'Enter at least two letters or digits.'],
    ['z', 'Enter at least two letters or digits.'],
    ['zo', 'No matches.'],
  ])('for %j without a match says so only if it could have found one', async (text, answer) => {
    const { body } = await pages.send(owner, pages.links.find(await newProject()), { text });
    expect(body).toContain(answer);
  });
});

describe('a search by what people read off a telephone or a card', () => {
  test('finds the last seven digits of a number, and a name with a date of birth', async () => {
    const projectId = await newProject();
    const patientId = await add(projectId);
    await add(projectId, { date_of_birth: '1984-07-13', phone_number: '(202) 555-0143' });
    const task = sampleTask({ id: projectId }, { patient_id: patientId, phone_number: '+12025550177' });
    await writeTransaction(table, [createTaskItem(table, task)]);
    await indexForSearch(table, projectId);
    const search = async (text: string) =>
      (await pages.send(owner, pages.links.find(projectId), { text })).body;
    const address = pages.links.patient(projectId, patientId);
    const births = ['zoë obrien 7/12/1984', 'obr, Jul 12, 1984', '07/12/84', 'zoë 7/12/84'];
    for (const text of ['555-0142', ' 5550142 ', ...births]) {
      const body = await search(text);
      expect(body, text).toContain(`href="${address}"`);
      expect(body.match(/Tasks of Zoë O’Brien/g), text).toHaveLength(1);
    }
    expect(await search('555 0177')).toContain(`href="${pages.links.task(projectId, task.id)}"`);
  });
});

describe('the search for tasks', () => {
  test('shows every match with its patient and outcome', async () => {
    const projectId = await newProject();
    const patientId = await add(projectId);
    for (let number = 0; number < 30; number += 1) {
      const task = sampleTask(
        { id: projectId },
        { id: uuidv7(), patient_id: patientId, status: 'FAILED', task: `Fax the itemized bill ${number}.` },
      );
      await writeTransaction(table, [createTaskItem(table, task)]);
    }
    await indexForSearch(table, projectId);
    const found = await pages.send(owner, pages.links.find(projectId), { text: 'itemized', from: 'tasks' });
    expect(found.body.match(/O’Brien, Zoë/g)).toHaveLength(30);
    expect(found.body).toContain('Fax the itemized bill 0.');
    expect(found.body).toContain('Failed');
    expect(found.body).not.toContain('There may be more');
    const born = await pages.send(owner, pages.links.find(projectId), {
      text: 'Jul 12, 1984',
      from: 'tasks',
    });
    expect(born.body).toContain('Patients found');
  });
});

async function newProject(): Promise<string> {
  const form = { form_key: randomUUID(), name: 'Harbor Street Clinic', carrier: 'sandbox' };
  const created = await pages.ask(owner, pages.links.newProject, form);
  return /projects\/([0-9a-f-]+)/.exec(String(created.headers?.location))?.[1] ?? '';
}

const zoe = {
  first_name: 'Zoë',
  last_name: 'O’Brien',
  date_of_birth: '07/12/1984',
  phone_number: '(202) 555-0142',
};

async function add(projectId: string, changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const form = { form_key: randomUUID(), ...zoe, ...changes };
  const { headers } = await pages.ask(owner, pages.links.newPatient(projectId), form);
  await indexForSearch(table, projectId);
  return patientIn(String(headers?.location));
}

function patientIn(address: string): string {
  return /patients\/([0-9a-f-]+)/.exec(address)?.[1] ?? '';
}

describe("a patient's page", () => {
  test('writes the numbers in outcomes as elsewhere', async () => {
    const projectId = await newProject();
    const patient_id = await add(projectId);
    const outcome = { status: 'FAILED', task_outcome: 'Nobody answers +12025550167.' } as const;
    const task = sampleTask({ id: projectId }, { patient_id, ...outcome });
    await writeTransaction(table, [createTaskItem(table, task)]);
    const { body } = await pages.ask(owner, pages.links.patient(projectId, patient_id));
    expect(body).toContain('Nobody answers +1 (202) 555-0167.');
  });
});

describe('a possible duplicate', () => {
  test('is added only on confirmation, and a form sent twice adds no other', async () => {
    const projectId = await newProject();
    const form = { form_key: randomUUID(), ...zoe };
    const first = await pages.ask(owner, pages.links.newPatient(projectId), form);
    const again = await pages.ask(owner, pages.links.newPatient(projectId), form);
    expect([first.statusCode, again.statusCode]).toEqual([303, 303]);
    expect(again.headers?.location).toBe(first.headers?.location);
    await indexForSearch(table, projectId);

    const same = { ...zoe, form_key: randomUUID(), first_name: 'zoe', last_name: "O'Brien" };
    const asked = await pages.ask(owner, pages.links.newPatient(projectId), same);
    expect(asked.statusCode).toBe(400);
    expect(asked.body).toContain('This patient may already exist');
    expect(asked.body).toContain('value="zoe"');
    const { items } = await listAuditEntries(table, projectId, { limit: 1, before: null });
    expect(items).toMatchObject([
      { action: 'patients.listed', patient_ids: [patientIn(String(first.headers?.location))] },
    ]);
    const added = await pages.ask(owner, pages.links.newPatient(projectId), {
      ...same,
      another_person: 'yes',
    });
    expect(added.statusCode).toBe(303);
    expect(added.headers?.location).not.toBe(first.headers?.location);
  });
});

describe('an edited patient', () => {
  const readAtOf = (body: string): string => /name="read_at" value="([^"]+)"/.exec(body)?.[1] ?? '';
  const hiddenOf = (body: string) => ({
    read_at: readAtOf(body),
    opened: (/name="opened" value="([^"]+)"/.exec(body)?.[1] ?? '').replaceAll('&quot;', '"'),
  });

  test("has the form's values, and the page shows who changed what", async () => {
    const projectId = await newProject();
    const id = await add(projectId, { email: 'zoe@example.com' });
    const address = pages.links.editPatient(projectId, id);
    const { body } = await pages.ask(owner, address);
    expect(body).toContain('value="+1 (202) 555-0142"');
    const saved = await pages.ask(owner, address, {
      ...zoe,
      phone_number: '202-555-0143',
      read_at: readAtOf(body),
    });
    expect(saved.headers?.location).toBe(`${pages.links.patient(projectId, id)}?done=patient-saved`);
    const patient = await getPatient(table, id);
    expect(patient).toMatchObject({ phone_number: '+12025550143', last_name: 'O’Brien' });
    expect(patient?.email).toBeUndefined();
    expect(patient?.changes).toMatchObject([{ by: owner.email, fields: ['phone_number', 'email'] }]);
    const page = await pages.ask(owner, pages.links.patient(projectId, id));
    expect(page.body).toContain('phone number, email');
    const { items } = await listAuditEntries(table, projectId, { limit: 5, before: null });
    expect(items.find(({ action }) => action === 'patient.changed')).toMatchObject({
      target: { type: 'patient', id },
      after: { fields: ['phone_number', 'email'] },
    });
    expect(JSON.stringify(items)).not.toContain('2025550143');
  });

  test("keeps a client's metadata and unchanged members as sent", async () => {
    const projectId = await newProject();
    const newPatient = {
      project_id: projectId,
      first_name: 'Zoë',
      last_name: 'O’Brien',
      date_of_birth: '1984-07-12',
      phone_number: '+12025550142',
      insurance: { medical: [{ company_name: 'Example Health Plan', plan_name: null }] },
      external_id: 'chart-1',
      metadata: { clinic: 'north' },
    };
    const { id } = await createPatient(table, { projectId, newPatient });
    const address = pages.links.editPatient(projectId, id);
    const { body } = await pages.ask(owner, address);
    const saved = await pages.ask(owner, address, {
      ...zoe,
      'insurance-medical-0-company_name': 'Example Health Plan',
      email: 'zoe@example.com',
      external_id: 'chart-1',
      read_at: readAtOf(body),
    });
    expect(saved.statusCode).toBe(303);
    const patient = await getPatient(table, id);
    expect(patient).toMatchObject({ ...newPatient, email: 'zoe@example.com' });
    expect(patient?.changes).toMatchObject([{ by: owner.email, fields: ['email'] }]);
  });

  test('is not overwritten by an outdated form, unless it is sent again', async () => {
    const projectId = await newProject();
    const id = await add(projectId);
    const address = pages.links.editPatient(projectId, id);
    const read_at = readAtOf((await pages.ask(owner, address)).body);
    await pages.ask(owner, address, { ...zoe, email: 'one@example.com', read_at });
    const other = { ...zoe, email: 'other@example.com' };
    const refused = await pages.ask(owner, address, { ...other, read_at });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('was changed since this page was opened');
    expect(refused.body).toContain('value="other@example.com"');
    expect((await getPatient(table, id))?.email).toBe('one@example.com');
    await pages.ask(owner, address, { ...other, read_at: readAtOf(refused.body) });
    expect((await getPatient(table, id))?.email).toBe('other@example.com');
  });

  test('keeps what others saved where an outdated form changed nothing', async () => {
    const projectId = await newProject();
    const id = await add(projectId);
    const address = pages.links.editPatient(projectId, id);
    const hidden = hiddenOf((await pages.ask(owner, address)).body);
    const untouched = { ...zoe, date_of_birth: '1984-07-12', phone_number: '+1 (202) 555-0142', ...hidden };
    await pages.ask(owner, address, { ...untouched, phone_number: '202-555-0143' });
    const saved = await pages.ask(owner, address, { ...untouched, email: 'zoe@example.com' });
    expect(saved.statusCode).toBe(303);
    const [phone_number, email] = ['+12025550143', 'zoe@example.com'];
    expect(await getPatient(table, id)).toMatchObject({ phone_number, email });

    const refused = await pages.ask(owner, address, {
      ...untouched,
      first_name: 'Zoey',
      email: 'z@example.com',
    });
    expect(refused.body).toContain('Email. Now saved: zoe@example.com. Save again to replace it');
    expect(refused.body.match(/Now saved/g)).toHaveLength(2);
    for (const value of ['Zoey', '+1 (202) 555-0143', 'z@example.com']) {
      expect(refused.body).toContain(`value="${value}"`);
    }
    expect(await getPatient(table, id)).toMatchObject({ first_name: 'Zoë', email });
  });

  test('keeps the time of their last task', async () => {
    const projectId = await newProject();
    const id = await add(projectId);
    const at = new Date();
    await writeTransaction(table, [usePatientItem(table, id, projectId, at)]);
    const address = pages.links.editPatient(projectId, id);
    const { body } = await pages.ask(owner, address);
    await pages.ask(owner, address, { ...zoe, email: 'zoe@example.com', read_at: readAtOf(body) });
    expect((await getPatient(table, id))?.email).toBe('zoe@example.com');
    expect((await getPatientUse(table, id))?.last_task_at).toBe(at.toISOString());
  });

  test('of another project cannot be edited', async () => {
    const id = await add(await newProject());
    const elsewhere = pages.links.editPatient(await newProject(), id);
    expect((await pages.ask(owner, elsewhere)).statusCode).toBe(404);
    expect((await pages.ask(owner, elsewhere, { ...zoe, read_at: 'x' })).statusCode).toBe(404);
  });
});

describe('an MRN', () => {
  test('is shown, stored, and unique, and a refusal keeps typed values', async () => {
    const projectId = await newProject();
    const id = await add(projectId, { external_id: 'MRN-1', email: 'zoe@example.com' });
    expect((await getPatient(table, id))?.external_id).toBe('MRN-1');
    const other = { form_key: randomUUID(), ...zoe, first_name: 'Yara', external_id: 'MRN-1' };
    const refused = await pages.ask(owner, pages.links.newPatient(projectId), other);
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('Another patient of this project has this MRN');
    expect(refused.body).toContain('value="Yara"');
  });
});
