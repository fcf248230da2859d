import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Person } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import { createTaskItem, getTask } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import {
  type EmbeddedDashboard,
  openDashboardPages,
  startEmbeddedDashboard,
} from '../../../support/dashboard-pages.ts';
import { samplePatient, sampleProject, sampleTask } from '../../../support/sample-tasks.ts';
import { storeOptOut } from '../../../support/stored-opt-outs.ts';
import { storePatient } from '../../../support/stored-patients.ts';
import { memberEmail, storeProject } from '../../../support/stored-projects.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table } = dashboard);
});
afterAll(() => dashboard.stop());

const owner: Person = { subject: 'owner', email: memberEmail('owner'), name: null };
let project: Project;
let task: Task;
beforeEach(async () => {
  project = sampleProject();
  const patient = samplePatient(project);
  task = sampleTask(project, { patient_id: patient.id, status: 'FAILED' });
  await storePatient(table, patient);
  await storeProject(table, project, ['owner']);
  await writeTransaction(table, [createTaskItem(table, task)]);
});

/** Presses "Call again now" on the page of the task. */
async function callAgain(pages: EmbeddedDashboard['pages'], key: string = randomUUID()) {
  const address = pages.links.task(project.id, task.id, '/call-again');
  const { statusCode, headers } = await pages.ask(owner, address, { form_key: key });
  return { statusCode, newTaskId: /tasks\/([0-9a-f-]+)/.exec(String(headers?.location))?.[1] ?? '' };
}

describe('calling again', () => {
  test('creates one task with the same instructions, however often it is pressed', async () => {
    const { pages } = dashboard;
    const key = randomUUID();
    const [first, second] = [await callAgain(pages, key), await callAgain(pages, key)];
    expect([first.statusCode, second.newTaskId]).toEqual([303, first.newTaskId]);
    const { patient_id, phone_number, task: goal } = task;
    expect(await getTask(table, first.newTaskId)).toMatchObject({
      patient_id,
      phone_number,
      task: goal,
      status: 'PENDING',
    });
  });

  test('is refused if the number is on the Do Not Call list', async () => {
    task = { ...task, id: uuidv7(), phone_number: '+12025550199' };
    await writeTransaction(table, [createTaskItem(table, task)]);
    await storeOptOut(table, project, task.phone_number);
    const { statusCode, newTaskId } = await callAgain(dashboard.pages);
    expect([statusCode, newTaskId]).toEqual([409, '']);
  });

  test('is refused if no call is possible', async () => {
    const { statusCode, newTaskId } = await callAgain(
      openDashboardPages({ ...dashboard.services, hasSandboxPhone: false }),
    );
    expect([statusCode, newTaskId]).toEqual([403, '']);
  });
});

describe('the list of tasks', () => {
  test('says what is wrong with days in the wrong order', async () => {
    const { pages } = dashboard;
    const pageOf = async (from: string, to: string) =>
      (await pages.ask(owner, pages.links.tasks(project.id, { from, to }))).body;
    const wrong = 'Enter a day that is not before “Created from”';
    expect(await pageOf('2026-11-20', '2026-11-19')).toContain(wrong);
    expect(await pageOf('2026-11-20', '2026-11-20')).not.toContain(wrong);
  });
});

describe('saving a view of the list', () => {
  test('leads to the view', async () => {
    const { pages } = dashboard;
    const answer = await pages.ask(owner, pages.links.savedViews(project.id), {
      status: 'FAILED',
      name: 'Lost',
    });
    expect([answer.statusCode, answer.headers?.location]).toEqual([
      303,
      `${pages.links.tasks(project.id, { status: 'FAILED' })}&done=view-saved`,
    ]);
  });

  test.each(['', 'x'.repeat(61)])('as %j says so beside its name, and keeps what was typed', async (name) => {
    const { pages } = dashboard;
    const form = { status: 'FAILED', name, shared: '1' };
    const { statusCode, body } = await pages.ask(owner, pages.links.savedViews(project.id), form);
    expect(statusCode).toBe(400);
    expect(body).toContain('<a href="#name">Enter a name of up to 60 visible characters</a>');
    expect(body).toContain(task.task);
    expect(body).toMatch(
      new RegExp(`<details open="">.*name="name"[^>]* value="${name}".*name="shared"[^>]* checked`, 's'),
    );
  });
});

describe('a follow-up changed by another person meanwhile', () => {
  const hiddenOf = (body: string) => ({
    version: /name="version" value="([^"]+)"/.exec(body)?.[1] ?? '',
    opened: (/name="opened" value="([^"]+)"/.exec(body)?.[1] ?? '').replaceAll('&quot;', '"'),
  });
  const untouched = { assignee: '', due: '', note: '', state: 'open' };

  test('keeps their values, unless the person sees and replaces them', async () => {
    const { pages } = dashboard;
    const address = pages.links.task(project.id, task.id, '/follow-up');
    const hidden = hiddenOf((await pages.ask(owner, address)).body);
    const theirs = { assignee: owner.email, due: '2026-12-01' };
    expect((await pages.ask(owner, address, { ...untouched, ...hidden, ...theirs })).statusCode).toBe(303);

    const note = 'The fax number is wrong.';
    const { statusCode, body } = await pages.ask(owner, address, { ...untouched, ...hidden, note });
    expect(statusCode).toBe(400);
    expect(body).toContain('The follow-up was changed since this page was opened');
    expect(body).not.toContain('Now saved');
    expect(body).toContain(`<option value="${owner.email}" selected="">`);
    expect(body).toContain('value="2026-12-01"');
    expect(body).toContain(note);

    const due = '2026-12-24';
    const other = await pages.ask(owner, address, { ...untouched, ...hidden, due });
    expect(other.body).toContain('Due. Now saved: Dec 1, 2026. Save again to replace it');
    expect(other.body.match(/Now saved/g)).toHaveLength(2);
    const again = { ...untouched, ...hiddenOf(other.body), assignee: owner.email, due };
    expect((await pages.ask(owner, address, again)).statusCode).toBe(303);
    expect((await getTask(table, task.id))?.follow_up_work).toMatchObject({ assignee: owner.email, due });
  });
});
