import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { taskTypes } from '#shared/domain/task-type.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem, getTask } from '#shared/table/task.ts';
import { listTaskSummaries } from '#shared/table/task-list.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedDashboard, startEmbeddedDashboard } from '../../../support/dashboard-pages.ts';
import { samplePatient, sampleProject, sampleTask, sampleTime } from '../../../support/sample-tasks.ts';
import { indexForSearch } from '../../../support/search-index.ts';
import { storeOptOut } from '../../../support/stored-opt-outs.ts';
import { storePatient } from '../../../support/stored-patients.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: EmbeddedDashboard['pages'];
let links: EmbeddedDashboard['pages']['links'];
let project: Project;
let patient: Patient;
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
  ({ links } = pages);
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  project = await newProject();
  patient = await newPatient('Maya', 'Rivera');
});

function emailOf(role: Role, { id }: Pick<Project, 'id'>): string {
  return `${role}.${id}@clinic.example.com`;
}

async function newProject(changes: Partial<Project> = {}): Promise<Project> {
  const made = sampleProject(changes);
  const member = { project_id: made.id, created_at: sampleTime, updated_at: sampleTime };
  await writeTransaction(table, [
    putProject(table, made),
    ...(['owner', 'viewer'] as const).map((role) =>
      addMemberItem(table, { ...member, email: emailOf(role, made), role }),
    ),
  ]);
  return made;
}

async function newPatient(first_name: string, last_name: string): Promise<Patient> {
  const made = samplePatient(project, { first_name, last_name });
  await storePatient(table, made);
  await indexForSearch(table, project.id);
  return made;
}

/** @param form fields to send; without them the page is asked for */
function ask(
  address: string,
  { form, role = 'owner' }: { form?: Readonly<Record<string, string>>; role?: Role } = {},
): Promise<APIGatewayProxyResult> {
  return pages.ask({ subject: role, email: emailOf(role, project), name: null }, address, form);
}

function filledForm(changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    form_key: randomUUID(),
    task_type: 'CUSTOM_TASK',
    patient_id: patient.id,
    task: 'Ask for the opening hours.',
    phone_number: '+12025550103',
    'task_data.questions_to_ask.0.question': 'When do you open?',
    ...changes,
  };
}

function send(form: Readonly<Record<string, string>>, role: Role = 'owner'): Promise<APIGatewayProxyResult> {
  return ask(links.newTask(project.id), { form, role });
}

async function storedTasks(): Promise<Task[]> {
  const { items } = await listTaskSummaries(
    table,
    project.id,
    { status: null, taskType: null, patientId: null },
    { limit: 100, before: null },
  );
  const tasks = await Promise.all(items.map(({ id }) => getTask(table, id)));
  return tasks.filter((task) => task !== null);
}

/** Dials of this project's tasks that the call-runner was told of. */
async function announced(): Promise<unknown[]> {
  const ids = (await storedTasks()).map(({ id }) => id);
  return dashboard.queues
    .messages('calls')
    .map(({ body }) => body)
    .filter((body) => ids.some((id) => JSON.stringify(body).includes(id)));
}

async function actions(): Promise<string[]> {
  const { items } = await listAuditEntries(table, project.id, { limit: 100, before: null });
  return items.map(({ action }) => action);
}

function addressOf({ headers }: APIGatewayProxyResult): string {
  return String(headers?.location);
}

test('offers sandbox numbers only in sandbox projects', async () => {
  const formOf = async (carrier: Project['carrier']) => {
    project = await newProject({ id: uuidv7(), carrier });
    return (await ask(links.newTask(project.id, { type: 'CUSTOM_TASK', form: randomUUID() }))).body;
  };
  expect(await formOf('sandbox')).toContain('Numbers to try in the sandbox');
  expect(await formOf('live')).not.toContain('Numbers to try');
});

describe('the form of a new task', () => {
  test('refuses a number on the Do Not Call list', async () => {
    project = await newProject({ id: uuidv7() });
    patient = await newPatient('Maya', 'Rivera');
    await storeOptOut(table, project, '+12025550103');
    const { statusCode, body } = await send(filledForm());
    expect(statusCode).toBe(400);
    expect(body).toContain('The number to call is on the Do Not Call list; lift it there to call it');
    expect(await storedTasks()).toEqual([]);
  });

  test('creates the described task, notifies the call-runner, and is audited', async () => {
    const answer = await send(
      filledForm({
        'task_data.questions_to_ask.0.answer': 'Eight',
        'task_data.additional_context': 'A new practice.',
        further: '{"medical_context": "None"}',
      }),
    );
    expect(answer.statusCode).toBe(303);
    const [task, ...others] = await storedTasks();
    expect(others).toEqual([]);
    expect(addressOf(answer)).toBe(`${links.task(project.id, task?.id ?? '')}?done=task-created`);
    expect(task).toMatchObject({
      patient_id: patient.id,
      status: 'PENDING',
      task_type: 'CUSTOM_TASK',
      task: 'Ask for the opening hours.',
      phone_number: '+12025550103',
      task_data: {
        questions_to_ask: [{ index: 0, question: 'When do you open?', answer: 'Eight' }],
        additional_context: 'A new practice.',
        medical_context: 'None',
      },
    });
    expect(await announced()).toEqual([{ kind: 'dial', task_id: task?.id }]);
    expect((await actions()).filter((action) => action === 'task.created')).toHaveLength(1);
  });

  test('creates one task, however often and concurrently it is sent, and always leads to it', async () => {
    const form = filledForm();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(form)));
    answers.push(await send(form));
    expect(await storedTasks()).toHaveLength(1);
    expect(await announced()).toHaveLength(1);
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(new Set(answers.map(addressOf)).size, statuses.join()).toBe(1);
  });

  test('asks before it creates a second task after a change', async () => {
    const form = filledForm();
    await send(form);
    const changed = { ...form, task: 'Ask for the fax number.' };
    const answer = await send(changed);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('This form was already sent');
    expect(answer.body).toContain('Ask for the fax number.');
    expect(await storedTasks()).toHaveLength(1);
    const key = /name="form_key" value="([^"]+)"/.exec(answer.body)?.[1] ?? '';
    expect(key).not.toBe(form.form_key);
    expect((await send({ ...changed, form_key: key })).statusCode).toBe(303);
    expect(await storedTasks()).toHaveLength(2);
  });

  test('accepts as much as the API, although forms encode some characters in several bytes', async () => {
    const quotes = '"'.repeat(120_000);
    const further = JSON.stringify({ medical_context: quotes });
    expect((await send(filledForm({ further }))).statusCode).toBe(303);
    const [task] = await storedTasks();
    expect(task?.task_data?.medical_context).toBe(quotes);
  });

  test('keeps its key in the URL, so returning to it after sending creates no second task', async () => {
    const answer = await ask(links.newTask(project.id, { type: 'CUSTOM_TASK', patient_id: patient.id }));
    expect(answer.statusCode).toBe(303);
    const key = new URL(addressOf(answer), links.origin).searchParams.get('form');
    for (const _ of ['first', 'second']) {
      const page = await ask(addressOf(answer));
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain(`name="form_key" value="${key}"`);
      expect(page.body).toContain(`<option value="${patient.id}" selected`);
    }
  });

  test.each([
    ['task', { task: ' ' }],
    ['patient_id', { patient_id: '' }],
    ['patient_id', { patient_id: randomUUID() }],
    ['phone_number', { phone_number: '12' }],
    ['phone_number', { phone_number: '+1911' }],
    ['phone_number', { phone_number: '+112' }],
    ['further', { further: '{"number": 1e300}' }],
    ['task_data.questions_to_ask.0.question', { 'task_data.questions_to_ask.0.question': '' }],
  ])('reports at %s what is wrong with %j, keeps the rest and creates nothing', async (field, changes) => {
    const form = filledForm({ 'task_data.questions_to_ask.0.answer': 'At <eight>', ...changes });
    const { statusCode, body } = await send(form);
    expect(statusCode).toBe(400);
    expect(body).toContain(`<a href="#${field}">`);
    expect(body).toContain(`id="${field}-error"`);
    expect(body).toContain('At &lt;eight&gt;');
    expect(body).toContain(`name="form_key" value="${form.form_key}"`);
    expect(await storedTasks()).toEqual([]);
  });

  test('finds patients by name or ID and keeps typed values', async () => {
    const other = await newPatient('Noor', 'Haddad');
    for (const [patient_search, chosen] of [
      ['noor', other.id],
      [other.id, other.id],
      ['nobody', patient.id],
    ] as const) {
      const { statusCode, body } = await send(filledForm({ intent: 'find', patient_search }));
      expect(statusCode).toBe(200);
      expect(body).toContain(`<option value="${chosen}" selected`);
      expect(body).toContain('Ask for the opening hours.');
      expect(body).toContain('When do you open?');
    }
    expect(await storedTasks()).toEqual([]);
  });

  test('searches for typed text before it creates a task for the chosen patient', async () => {
    await newPatient('Noor', 'Haddad');
    await newPatient('Noor', 'Haddad');
    const { statusCode, body } = await send(filledForm({ patient_search: 'noor' }));
    expect(statusCode).toBe(400);
    expect(body).toContain('2 patients found');
    expect(body).toContain('<a href="#patient_id">Choose one of the patients found</a>');
    expect(body).not.toContain(patient.id);
    expect(await storedTasks()).toEqual([]);
  });

  test('explains why it created no task for the chosen patient if the search finds none', async () => {
    const { statusCode, body } = await send(filledForm({ patient_search: 'nobody' }));
    expect(statusCode).toBe(400);
    expect(body).toContain('<a href="#patient_search">No such patient was found');
    expect(body).toContain('value="nobody"');
    expect(body).toContain(`<option value="${patient.id}" selected`);
    expect(await storedTasks()).toEqual([]);
  });

  test('keeps the search results when it adds questions', async () => {
    const other = await newPatient('Noor', 'Haddad');
    const { body } = await send(filledForm({ intent: 'more-entries', patient_search: 'noor' }));
    expect(body).toContain(`<option value="${other.id}" selected`);
    expect(body.match(/<legend>Question \d+/g)).toHaveLength(6);
  });

  test('adds questions and keeps existing ones', async () => {
    const { body } = await send(filledForm({ intent: 'more-entries' }));
    expect(body.match(/<legend>Question \d+/g)).toHaveLength(6);
    expect(body).toContain('When do you open?');
    expect(await storedTasks()).toEqual([]);
  });

  test('starts with all values of a similar task, which is audited as viewed', async () => {
    const task_data = {
      questions_to_ask: [{ index: 0, question: 'Parking?', priority: 'low' }],
      medical_context: 'Asthma',
    };
    const earlier = sampleTask(project, { patient_id: patient.id, task_data });
    await writeTransaction(table, [createTaskItem(table, earlier)]);
    const { body } = await ask(links.newTask(project.id, { like: earlier.id, form: randomUUID() }));
    for (const text of [earlier.task, '+1 (202) 555-0103', 'Parking?', 'priority', 'medical_context']) {
      expect(body).toContain(text);
    }
    expect(body).toContain(`<option value="${patient.id}" selected`);
    expect(await actions()).toContain('task.viewed');
  });

  test.each(taskTypes)('of the type %s takes one response of less than 100 KB', async (type) => {
    const { statusCode, body } = await ask(links.newTask(project.id, { type, form: randomUUID() }));
    expect(statusCode).toBe(200);
    expect(Buffer.byteLength(body)).toBeLessThan(100 * 1024);
  });

  test("reveals nothing of another project's task", async () => {
    const mine = project;
    const foreign = sampleTask(await newProject());
    await writeTransaction(table, [createTaskItem(table, foreign)]);
    const { statusCode } = await ask(links.newTask(mine.id, { like: foreign.id, form: randomUUID() }));
    expect(statusCode).toBe(404);
  });

  test('offers enabled types, names the others, and refuses their tasks', async () => {
    project = await newProject({ enabled_task_types: ['CUSTOM_TASK'] });
    patient = await newPatient('Maya', 'Rivera');
    const { body } = await ask(links.newTask(project.id));
    expect(body).toContain('type=CUSTOM_TASK');
    expect(body).not.toContain('type=REIMBURSEMENT');
    expect(body).toContain('Not enabled for this project: Schedule an appointment');
    const direct = await ask(links.newTask(project.id, { type: 'REIMBURSEMENT', form: randomUUID() }));
    expect(direct.statusCode).toBe(400);
    expect(direct.body).toContain('This type is not enabled');
    const sent = await send(filledForm({ task_type: 'REIMBURSEMENT' }));
    expect(sent.statusCode).toBe(400);
    expect(sent.body).toContain('is not enabled for this project');
    expect(await storedTasks()).toEqual([]);
  });

  test('is closed to viewers', async () => {
    for (const address of [
      links.newTask(project.id),
      links.newTask(project.id, { type: 'CUSTOM_TASK', form: randomUUID() }),
    ]) {
      expect((await ask(address, { role: 'viewer' })).statusCode).toBe(403);
    }
    expect((await send(filledForm(), 'viewer')).statusCode).toBe(403);
    expect(await storedTasks()).toEqual([]);
  });
});
