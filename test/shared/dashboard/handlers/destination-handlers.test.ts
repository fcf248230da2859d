import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { listDirectory } from '#shared/table/directory.ts';
import { listTaskRows } from '#shared/table/task-rows.ts';
import {
  type DashboardPages,
  type EmbeddedDashboard,
  startEmbeddedDashboard,
} from '../../../support/dashboard-pages.ts';
import { storeEntry } from '../../../support/directory-entries.ts';
import { everyTask } from '../../../support/every-task.ts';
import { memberOf, storeProjectOf } from '../../../support/project-members.ts';
import { sampleTime } from '../../../support/sample-tasks.ts';
import { storePatient } from '../../../support/stored-patients.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: DashboardPages;
let project: Project;
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  project = await storeProjectOf(table, ['owner', 'staff', 'auditor']);
});

const ask = (to: string, form?: Record<string, string | string[]>, role: Role = 'owner') =>
  pages.ask(memberOf(role), to, form);
const list = () => pages.links.destinations(project.id);
const add = (changes: Record<string, string | string[]> = {}, role: Role = 'owner') =>
  ask(pages.links.newDestination(project.id), { ...payer, ...changes }, role);

const payer = {
  name: 'Example Health, provider line',
  kind: 'payer',
  phone_number: '(888) 555-0142',
  time_zone: 'America/New_York',
  'days-0': ['1', '2', '3', '4', '5'],
  'opens-0': '8',
  'closes-0': '5:30 pm',
  max_hold_minutes: '45',
  max_call_minutes: '90',
  concurrent_calls: '4',
};

const samplePatient = (id: string): Patient => ({
  id,
  project_id: project.id,
  first_name: 'Maya',
  last_name: 'Rivera',
  phone_number: '+12025550142',
  date_of_birth: '1984-07-12',
  created_at: sampleTime,
  updated_at: sampleTime,
});

describe('the destinations of a project', () => {
  test('are refused with all problems at once', async () => {
    const refused = await add({ name: '', kind: '', phone_number: '' });
    expect(refused.statusCode).toBe(400);
    for (const text of ['Enter a name of up to', 'Choose a kind', 'Enter a phone number, such as']) {
      expect(refused.body).toContain(text);
    }
  });

  test('are added in usual formats, shown, changed and removed, all of it audited', async () => {
    const added = await add();
    expect(added.headers?.location).toBe(`${list()}?done=destination-saved`);
    const [entry] = await listDirectory(table, project.id);
    expect(entry).toMatchObject({
      phone_number: '+18885550142',
      hours: {
        time_zone: 'America/New_York',
        weekly: [{ days: [1, 2, 3, 4, 5], opens: '08:00', closes: '17:30' }],
      },
      max_hold_minutes: 45,
      max_call_minutes: 90,
      concurrent_calls: 4,
    });
    const { body } = await ask(list());
    for (const text of [
      '+1 (888) 555-0142',
      'Mon–Fri: 8 AM–5:30 PM',
      '4 calls at a time',
      '45 min on hold',
    ]) {
      expect(body).toContain(text);
    }
    const address = pages.links.destination(project.id, '+18885550142');
    const form = (await ask(address)).body;
    expect(form).toContain('value="5:30 PM"');
    const read_at = entry?.updated_at ?? '';
    const { 'days-0': _, 'opens-0': __, 'closes-0': ___, ...rest } = payer;
    await ask(address, { ...rest, read_at, time_zone: '', name: 'Example Health' });
    expect(await listDirectory(table, project.id)).toMatchObject([{ name: 'Example Health', hours: null }]);
    await ask(`${address}/remove`, {});
    expect(await listDirectory(table, project.id)).toEqual([]);
    const { items } = await listAuditEntries(table, project.id, { limit: 10, before: null });
    expect(items.map(({ action }) => action)).toEqual([
      'destination.removed',
      'destination.saved',
      'destination.saved',
    ]);
  });

  test('are refused beside the invalid field, with all typed values', async () => {
    const wrong = await add({
      kind: '',
      phone_number: 'nonsense',
      last_phone_number: '(888) 555-0199',
    });
    expect([wrong.statusCode, wrong.body.includes('id="phone_number-error"')]).toEqual([400, true]);
    expect(wrong.body).toContain('Example Health, provider line');
    const { body } = await add({ kind: '', time_zone: '', 'closes-0': 'later', concurrent_calls: '0' });
    for (const field of ['kind', 'time_zone', 'closes-0', 'concurrent_calls']) {
      expect(body, field).toContain(`id="${field}-error"`);
    }
    expect((await add({ 'closes-0': '7 am' })).body).toContain('id="closes-0-error"');
    expect((await add({ last_phone_number: '(888) 555-0100' })).body).toContain(
      'id="last_phone_number-error"',
    );
    expect(await listDirectory(table, project.id)).toEqual([]);
  });

  test('are replaced neither by a new one of the same number nor by an outdated form', async () => {
    await add();
    const again = await add({ name: 'Another' });
    expect(again.statusCode).toBe(400);
    expect(again.body).toContain('A destination with this number already exists');
    const address = pages.links.destination(project.id, '+18885550142');
    const stale = await ask(address, { ...payer, name: 'Stale', read_at: sampleTime });
    expect(stale.statusCode).toBe(400);
    expect(stale.body).toContain('Someone changed this destination');
    const [entry] = await listDirectory(table, project.id);
    expect(entry?.name).toBe(payer.name);
    expect(stale.body).toContain(`name="read_at" value="${entry?.updated_at}"`);
  });

  test('of the operator are shown and cannot be changed', async () => {
    await storeEntry(table, '+18005550111', { name: 'Operator Health' });
    const { body } = await ask(list());
    expect(body).toContain('Operator Health');
    expect(body).not.toContain('Edit<span');
    expect((await ask(pages.links.destination(project.id, '+18005550111'))).statusCode).toBe(404);
  });

  test('are visible to staff, changed by owners and managers, and hidden from auditors', async () => {
    await add();
    const { body } = await ask(list(), undefined, 'staff');
    expect(body).toContain('Example Health');
    expect(body).not.toMatch(/Add destination|Remove/);
    expect((await add({ phone_number: '(202) 555-0143' }, 'staff')).statusCode).toBe(403);
    expect((await ask(list(), undefined, 'auditor')).statusCode).toBe(403);
  });

  test('are offered in a new task, which calls the chosen one', async () => {
    const patient_id = uuidv7();
    await storePatient(table, samplePatient(patient_id));
    const order = (destination: string, phone_number: string) =>
      ask(pages.links.newTask(project.id), {
        form_key: randomUUID(),
        task_type: 'CUSTOM_TASK',
        task: 'Ask for the opening hours.',
        patient_id,
        destination,
        phone_number,
      });
    await storeEntry(table, '+12025550108', { project_id: project.id, name: 'Example Health' });
    await storeEntry(table, '+12025550140', { last_phone_number: '+12025550149', name: 'A range' });
    const { body } = await ask(pages.links.newTask(project.id, { type: 'CUSTOM_TASK', form: randomUUID() }));
    expect(body).toContain(
      '<option value="+12025550108">Example Health · Payer · +1 (202) 555-0108</option>',
    );
    expect(body).not.toContain('A range');

    const both = await order('+12025550108', '(202) 555-0103');
    expect(both.statusCode).toBe(400);
    expect(both.body).toContain('This is not the number of the destination you chose');
    expect(both.body).toContain('value="+12025550108" selected');
    expect((await order('+12025550108', '')).statusCode).toBe(303);
    const { items } = await listTaskRows(table, project.id, everyTask, { limit: 10, before: null });
    expect(items.map(({ phone_number }) => phone_number)).toEqual(['+12025550108']);
  });
});
