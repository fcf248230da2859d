import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authorizeProject } from '#shared/admin/authorize-project.ts';
import { keepImport } from '#shared/admin/imports.ts';
import { checkImport } from '#shared/dashboard/forms/import-check.ts';
import { readImportFile } from '#shared/dashboard/forms/import-file.ts';
import type { TaskListQuery } from '#shared/dashboard/forms/task-list-query.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Person } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { addressHash } from '#shared/table/address-hash.ts';
import type { Table } from '#shared/table/client.ts';
import { createTaskItem, getTask } from '#shared/table/task.ts';
import { listTaskRows } from '#shared/table/task-rows.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import {
  type EmbeddedDashboard,
  openDashboardPages,
  startEmbeddedDashboard,
} from '../../../support/dashboard-pages.ts';
import { everyTask } from '../../../support/every-task.ts';
import { samplePatient, sampleProject, sampleResult, sampleTask } from '../../../support/sample-tasks.ts';
import { storeOptOut } from '../../../support/stored-opt-outs.ts';
import { storePatient } from '../../../support/stored-patients.ts';
import { memberEmail, storeProject } from '../../../support/stored-projects.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: EmbeddedDashboard['pages'];
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
});
afterAll(() => dashboard.stop());

const owner: Person = { subject: 'owner', email: memberEmail('owner'), name: null };
const viewer: Person = { subject: 'viewer', email: memberEmail('viewer'), name: null };
const maxPageBytes = 100_000;
let project: Project;
let patientId: string;
beforeEach(async () => {
  project = sampleProject({ id: uuidv7() });
  const patient = samplePatient(project);
  patientId = patient.id;
  await storePatient(table, patient);
  await storeProject(table, project, ['owner', 'viewer']);
});

async function store(changes: Partial<Task>): Promise<Task> {
  const task = sampleTask(project, { id: uuidv7(), patient_id: patientId, ...changes });
  await writeTransaction(table, [createTaskItem(table, task)]);
  return task;
}

async function countTasks(): Promise<number> {
  return (await listTaskRows(table, project.id, everyTask, { limit: 500, before: null })).items.length;
}

const ask = (form: Readonly<Record<string, string | readonly string[]>>, rest = '', person = owner) =>
  pages.send(person, pages.links.selectedTasks(project.id, rest), form);

/** What a hidden field of a page holds. */
function fieldOf(body: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
}

describe('a bulk action', () => {
  test('previews affected tasks, and the reason for the others', async () => {
    const [waiting, failed] = [await store({ status: 'PENDING' }), await store({ status: 'FAILED' })];
    const { body, statusCode } = await ask({
      action: 'cancel',
      task_id: [waiting.id, failed.id, randomUUID()],
    });
    expect(statusCode).toBe(200);
    expect(body).toContain('1 of 2 tasks will change. Nothing has been done yet.');
    expect(body).toContain('Nothing: It has already ended');
    expect(body).toContain(`name="task_id" value="${waiting.id}"`);
    expect(await getTask(table, waiting.id)).toMatchObject({ status: 'PENDING' });
  });

  test('calls no number again that is on the Do Not Call list', async () => {
    const failed = await store({ status: 'FAILED', phone_number: '+12025550199' });
    await storeOptOut(table, project, failed.phone_number);
    const reason = 'Its number is on the Do Not Call list';
    const form = { action: 'call-again', task_id: failed.id, form_key: randomUUID() };
    const preview = (await ask(form)).body;
    expect(preview).toContain('0 of 1 task will change.');
    expect(preview).toContain(`Nothing: ${reason}`);
    expect((await ask(form, '/done')).body).toContain(reason);
    expect(await countTasks()).toBe(1);
  });

  test('calls again for no task whose goal was reached', async () => {
    const booked = await store({ status: 'COMPLETED', result: sampleResult() });
    const reason = 'Its goal was reached; call again on its own page';
    const form = { action: 'call-again', task_id: booked.id, form_key: randomUUID() };
    expect((await ask(form)).body).toContain(`Nothing: ${reason}`);
    expect((await ask(form, '/done')).body).toContain(reason);
    expect(await countTasks()).toBe(1);
  });

  test('runs once if its form is sent twice, and reports interim changes', async () => {
    const [one, two] = [await store({ status: 'FAILED' }), await store({ status: 'IN_PROGRESS' })];
    const form = { action: 'call-again', form_key: randomUUID(), task_id: `${one.id} ${two.id}` };
    for (let time = 0; time < 2; time += 1) {
      const { body } = await ask(form, '/done');
      expect(body).toContain('Called again: 1 of 2 tasks');
      expect(body).toContain('Not done: It has not ended yet');
    }
    expect(await countTasks()).toBe(3);
  });

  test('continues with the tasks it had no time for, and calls each again once', async () => {
    await Promise.all(Array.from({ length: 23 }, () => store({ status: 'FAILED' })));
    const chosen = await ask({ action: 'call-again', all: '1', status: 'FAILED' });
    const form = { action: 'call-again', form_key: randomUUID(), task_id: fieldOf(chosen.body, 'task_id') };
    // Time is up after one group.
    let nowMs = Date.now();
    const slow = openDashboardPages({
      ...dashboard.services,
      now: () => {
        nowMs += 4000;
        return new Date(nowMs);
      },
    });
    const { body } = await slow.send(owner, slow.links.selectedTasks(project.id, '/done'), form);
    expect(body).toContain('Called again: 10 of 23 tasks');
    expect(body).toContain('Continue with the other 13 tasks');
    expect(await countTasks()).toBe(33);
    expect(fieldOf(body, 'form_key')).toBe(form.form_key);
    const left = fieldOf(body, 'task_id');
    expect(left.split(' ')).toHaveLength(13);
    const rest = await ask({ ...form, task_id: left }, '/done');
    expect(rest.body).toContain('Called again: 13 tasks');
    expect(await countTasks()).toBe(46);
    await ask(form, '/done');
    expect(await countTasks()).toBe(46);
  });

  test('keeps due date and notes of assigned follow-ups', async () => {
    const work = { version: 3, due: '2026-12-01', notes: [], assignee: null, done_at: null, done_by: null };
    const { id } = await store({ status: 'FAILED', follow_up_work: work });
    await ask({ action: 'assign', form_key: randomUUID(), task_id: id, assignee: owner.email }, '/done');
    expect((await getTask(table, id))?.follow_up_work).toMatchObject({
      assignee: owner.email,
      due: '2026-12-01',
      version: 4,
    });
    const refused = { action: 'assign', form_key: randomUUID(), task_id: id, assignee: 'nobody@example.com' };
    expect((await ask(refused, '/done')).body).toContain('Not done: Choose a member who may work on tasks');
  });

  test('marks tasks as done, and removes them from the queues', async () => {
    const work = { version: 3, due: '2026-12-01', notes: [], assignee: null, done_at: null, done_by: null };
    const result = sampleResult({ goal_reached: false, follow_up: 'Send the itemized bill.' });
    const tasks = [
      await store({ status: 'FAILED', result, follow_up_work: { ...work, assignee: owner.email } }),
      await store({ status: 'COMPLETED', result }),
      await store({ status: 'PENDING' }),
    ];
    const list = async (query: TaskListQuery) => {
      const { body } = await pages.ask(owner, pages.links.tasks(project.id, query));
      return tasks.map(({ id }) => body.includes(`id="${id}"`));
    };
    expect(await list({ assigned: 'unassigned' })).toEqual([false, true, false]);
    expect(await list({ assigned: addressHash(owner.email) })).toEqual([true, false, false]);
    expect(await list({ assigned: addressHash('nobody@example.com') })).toEqual([false, false, false]);
    expect(await list({ assigned: 'unassigned', patient_id: patientId })).toEqual([false, true, false]);
    const chosen = await ask({ action: 'finish', task_id: tasks.map(({ id }) => id) });
    expect(chosen.body).toContain('2 of 3 tasks will change');
    const task_id = fieldOf(chosen.body, 'task_id');
    const done = await ask({ action: 'finish', form_key: randomUUID(), task_id }, '/done');
    expect(done.body).toContain('Marked as done: 2 tasks');
    expect((await getTask(table, tasks[0]?.id ?? ''))?.follow_up_work).toMatchObject({
      assignee: owner.email,
      due: '2026-12-01',
      done_by: owner.email,
    });
    expect(await list({ needs: 'follow-up' })).toEqual([false, false, false]);
    const { body } = await pages.ask(owner, pages.links.tasks(project.id));
    expect(body.match(/Followed up/g)).toHaveLength(2);
    expect((await ask({ action: 'finish', task_id })).body).toContain('It was already marked as done');
  });

  test('on a long view takes the first hundred, and says so, on pages of less than 100 KB', async () => {
    await Promise.all(
      Array.from({ length: 103 }, () =>
        store({ status: 'PENDING', task: 'Ask for the record. '.repeat(50) }),
      ),
    );
    const chosen = await ask({ action: 'cancel', all: '1', status: 'PENDING' });
    expect(chosen.body).toContain('Only the first 100 tasks of the view are selected');
    expect(Buffer.byteLength(chosen.body)).toBeLessThan(maxPageBytes);
    const ids = fieldOf(chosen.body, 'task_id');
    // However slow the machine is, time is not up before all are done.
    const at = new Date();
    const quick = openDashboardPages({ ...dashboard.services, now: () => at });
    const form = { action: 'cancel', form_key: randomUUID(), task_id: ids };
    const done = await quick.send(owner, quick.links.selectedTasks(project.id, '/done'), form);
    expect(done.body).toContain('Canceled: 100 tasks');
    expect(Buffer.byteLength(done.body)).toBeLessThan(maxPageBytes);
  });

  test('shows preview and result again on Back and reload, without doing anything again', async () => {
    const [failed, waiting] = [await store({ status: 'FAILED' }), await store({ status: 'PENDING' })];
    const chosen = { action: 'call-again', task_id: [failed.id, waiting.id], status: 'FAILED' };
    const preview = await pages.ask(owner, pages.links.selectedTasks(project.id), chosen);
    const previewAt = String(preview.headers?.location);
    const { body } = await pages.ask(owner, previewAt);
    expect(body).toContain('1 of 2 tasks will change.');
    const form = {
      ...chosen,
      form_key: fieldOf(body, 'form_key'),
      task_id: `${fieldOf(body, 'task_id')} ${waiting.id}`,
    };
    const done = await pages.ask(owner, pages.links.selectedTasks(project.id, '/done'), form);
    const doneAt = String(done.headers?.location);
    for (let time = 0; time < 2; time += 1) {
      const result = (await pages.ask(owner, doneAt)).body;
      expect(result).toContain('Called again: 1 of 2 tasks');
      expect(result).toContain('Not done: It has not ended yet');
      expect(result).toContain(`href="${pages.links.tasks(project.id, { status: 'FAILED' })}"`);
    }
    expect(fieldOf((await pages.ask(owner, previewAt)).body, 'form_key')).toBe(form.form_key);
    expect(await countTasks()).toBe(3);
    expect((await pages.ask(viewer, previewAt)).statusCode).toBe(403);
    expect((await pages.ask(viewer, doneAt)).statusCode).toBe(403);
    const unknown = pages.links.selectedTasks(project.id, '/done', { kept: randomUUID() });
    for (const address of [unknown, pages.links.selectedTasks(project.id)]) {
      expect((await pages.ask(owner, address)).headers?.location).toBe(pages.links.tasks(project.id));
    }
  });

  test('requires permission to change tasks', async () => {
    const { id } = await store({ status: 'PENDING' });
    const form = { action: 'cancel', form_key: randomUUID(), task_id: id };
    for (const rest of ['', '/done']) expect((await ask(form, rest, viewer)).statusCode).toBe(403);
    expect(await getTask(table, id)).toMatchObject({ status: 'PENDING' });
  });
});

describe('the page of an import', () => {
  test('with 5,000 invalid rows is less than 100 KB, and row data is only in its file', async () => {
    const headings = ['First name', 'Last name', 'Date of birth', 'Patient phone number'];
    const rows = Array.from({ length: 5000 }, (_, at) => ['Given', '', `Born${at}`, 'none']);
    const text = [headings, ...rows].map((cells) => cells.join(',')).join('\n');
    const access = await authorizeProject(
      table,
      { person: owner, requestId: 'r' },
      project.id,
      'tasks.write',
    );
    const one = await keepImport(
      table,
      access,
      await checkImport(table, access, readImportFile(text), '<b>day</b>.csv'),
    );
    const page = await pages.ask(owner, pages.links.import(project.id, one.id));
    expect(page.body).toContain('5,000 rows: 0 valid, 5,000 with problems');
    expect(page.body).toContain('Only the first 100 are shown; the file has all of them.');
    expect(page.body).not.toMatch(/Born\d|<b>day/);
    expect(Buffer.byteLength(page.body)).toBeLessThan(maxPageBytes);
    const file = await pages.ask(owner, pages.links.import(project.id, one.id, '/rows-file'));
    expect(file.body.trim().split('\r\n')).toHaveLength(5001);
    expect((await pages.ask(viewer, pages.links.import(project.id, one.id))).statusCode).toBe(403);
  });
});
