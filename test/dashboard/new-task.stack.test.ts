import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TaskType, taskTypes } from '#shared/domain/task-type.ts';
import { getTask } from '#shared/table/task.ts';
import { listTaskSummaries } from '#shared/table/task-list.ts';
import { demoTasks } from '../../infra/local/demo/scenario.ts';
import { type Clinic, look, openClinic } from '../support/browser.ts';
import { stackTable } from '../support/stack.ts';

let clinic: Clinic;
let patientId: string;
beforeAll(async () => {
  clinic = await openClinic();
  patientId = await clinic.register();
  await clinic.register({ first_name: 'Noor', last_name: 'Haddad', date_of_birth: '1990-01-31' });
});
afterAll(() => clinic?.close());

function demoTask(type: TaskType) {
  const found = demoTasks.find(({ body }) => body.task_type === type);
  if (found === undefined) throw new Error(`the demo has no task of the type ${type}`);
  return found.body;
}

/** To a number that is not in service, so that nothing waits for its call. */
function uncalledTask(type: TaskType) {
  return { ...demoTask(type), phone_number: '+12025550113' };
}

/** Like a person: through the list of tasks, the choice of the type, and the closed parts of the form. */
async function openForm(page: Page, type: string): Promise<void> {
  await page.goto(`${clinic.address}/tasks`);
  await page.getByRole('link', { name: 'New task' }).click();
  await page.getByRole('link', { name: type, exact: true }).click();
  await page.getByRole('heading', { name: 'New task', level: 1 }).waitFor();
  await page.getByLabel('Patient', { exact: true }).selectOption({ label: 'Maya Rivera, born Jul 12, 1984' });
}

async function fillCall(page: Page, { task, phone_number }: { task: string; phone_number: string }) {
  await page.getByLabel('Goal').fill(task);
  await page.getByLabel('Number to call').fill(phone_number);
}

async function openPart(page: Page, title: string): Promise<void> {
  await page.locator('summary').filter({ hasText: title }).click();
}

/** Of the focused field. */
function focusedLabel(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.labels?.[0]?.textContent');
}

async function create(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create task' }).click();
  await page.getByText('The task was created.').waitFor();
  return taskIdOf(page);
}

function taskIdOf(page: Page): string {
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

async function stored(taskId: string) {
  const task = await getTask(stackTable(), taskId);
  expect(task).not.toBeNull();
  return task;
}

async function taskCount(): Promise<number> {
  const { items } = await listTaskSummaries(
    stackTable(),
    clinic.client.projectId,
    { status: null, taskType: null, patientId: null },
    { limit: 100, before: null },
  );
  return items.length;
}

describe('the form of a new task at a browser', () => {
  let scheduled: string;

  test('creates an appointment task, which completes live', async () => {
    const { page } = clinic.owner;
    const { task_data, ...call } = demoTask('SCHEDULE_APPOINTMENT');
    await page.goto(`${clinic.address}/tasks`);
    await page.getByRole('link', { name: 'New task' }).click();
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor();
    await look(page, 'new-task-types');
    await openForm(page, 'Schedule an appointment');
    await look(page, 'new-task-empty');
    await fillCall(page, call);
    await page.getByLabel('Patient availability').fill(String(task_data.timeframe_availability));
    await page
      .getByRole('group', { name: 'The appointment' })
      .getByLabel('Specialty')
      .fill(String(task_data.speciality_preferences));
    await page.getByLabel('New or existing patient').selectOption(String(task_data.patient_status));
    await page.getByLabel('Anything else').fill(String(task_data.additional_context));
    scheduled = await create(page);
    expect(await stored(scheduled)).toMatchObject({ patient_id: patientId, ...call, task_data });
    for (const text of ['Call 1 ended', 'Webhook Delivered']) {
      await page.getByRole('listitem').filter({ hasText: text }).first().waitFor({ timeout: 90_000 });
    }
    await page.getByText('Completed').first().waitFor();
  });

  test('creates an insurance verification', async () => {
    const { page } = clinic.owner;
    const { task_data, ...call } = uncalledTask('VERIFY_INSURANCE');
    await openForm(page, 'Verify insurance');
    await fillCall(page, call);
    await page.getByLabel('Service to be covered').fill('Outpatient physical therapy');
    await page.getByLabel('CPT codes').fill('97110, 97140');
    await openPart(page, 'Insurance');
    const insurance = page.getByRole('group', { name: 'Insurance', exact: true });
    await insurance.getByLabel('Company').fill('Example Health Plan');
    await insurance.getByLabel('Member ID').fill('EHP204518837');
    await insurance.getByLabel('Group number').fill('70412');
    await insurance.getByLabel('Relationship to subscriber').selectOption('SELF');
    await openPart(page, 'Provider');
    const provider = page.getByRole('group', { name: 'Provider', exact: true });
    await provider.getByLabel('Name').fill('Dr. Helen Okafor');
    await provider.getByLabel('NPI').fill('1234567893');
    await provider.getByLabel('Practice or facility').fill('Riverside Family Clinic');
    expect(await stored(await create(page))).toMatchObject({ ...call, task_data });
  });

  test('creates a claim follow-up', async () => {
    const { page } = clinic.owner;
    const { task_data, ...call } = uncalledTask('REIMBURSEMENT');
    await openForm(page, 'Follow up on a claim');
    await fillCall(page, call);
    await page.getByLabel('Known claim status').fill('Submitted, no answer yet');
    await page.getByLabel('Reason for treatment').fill('MRI of the right knee');
    await openPart(page, 'Case');
    await page.getByLabel('Case number').fill('CLM-7741902');
    await page.getByLabel('Opened on').fill('2026-10-05');
    await openPart(page, 'Bill');
    await page.getByLabel('Bill number').fill('INV-20931');
    await page.getByLabel('Amount').fill('640.00');
    await openPart(page, 'Primary insurance');
    const insurance = page.getByRole('group', { name: 'Primary insurance', exact: true });
    await insurance.getByLabel('Company').fill('Example Health Plan');
    await insurance.getByLabel('Member ID').fill('EHP204518837');
    await look(page, 'new-task-reimbursement');
    expect(await stored(await create(page))).toMatchObject({ ...call, task_data });
  });

  test('creates a task with questions by keyboard alone', async () => {
    const { page } = clinic.owner;
    const { task_data, ...call } = uncalledTask('CUSTOM_TASK');
    await page.goto(`${clinic.address}/new-task?type=CUSTOM_TASK&patient_id=${patientId}`);
    const { keyboard } = page;
    const tabTo = async (label: string): Promise<void> => {
      for (let steps = 0; steps < 60; steps += 1) {
        await keyboard.press('Tab');
        if ((await focusedLabel(page)) === label) return;
      }
      throw new Error(`the keyboard does not come to ${label}`);
    };
    await tabTo('Goal');
    await keyboard.type(call.task);
    await tabTo('Number to call');
    await keyboard.type(call.phone_number);
    for (const question of ['What are your office hours?', 'What is the fax number for medical records?']) {
      await tabTo('What to ask');
      await keyboard.type(question);
    }
    // Enter submits the form.
    await keyboard.press('Enter');
    await page.getByText('The task was created.').waitFor();
    expect(await stored(taskIdOf(page))).toMatchObject({
      ...call,
      patient_id: patientId,
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'What are your office hours?' },
          { index: 1, question: 'What is the fax number for medical records?' },
        ],
      },
    });
    expect(JSON.stringify(task_data)).toContain('What are your office hours?');
  });

  test('shows problems in place, and keeps everything else', async () => {
    const { page } = clinic.owner;
    const before = await taskCount();
    await openForm(page, 'Verify insurance');
    await page.getByLabel('Number to call').fill('555-0101');
    await page.getByLabel('CPT codes').fill('97110');
    await openPart(page, 'Provider');
    const provider = page.getByRole('group', { name: 'Provider', exact: true });
    await provider.getByLabel('City').fill('Springfield');
    await page.getByRole('button', { name: 'Create task' }).click();
    await page.getByRole('alert').waitFor();
    await look(page, 'new-task-refused');
    expect(await page.getByRole('alert').getByRole('link').allTextContents()).toEqual([
      'Enter a goal',
      'Enter the number to call, such as (202) 555-0142',
      ...['Street', 'State or province', 'Postal code'].map(
        (label) => `Provider: enter “${label}”: an address needs all its parts`,
      ),
      'Provider: enter the country as two letters, such as US',
    ]);
    for (const [label, value] of [
      ['Patient', patientId],
      ['Number to call', '555-0101'],
      ['CPT codes', '97110'],
    ] as const) {
      expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(value);
    }
    expect(await provider.getByLabel('City').inputValue()).toBe('Springfield');
    await page.getByRole('link', { name: /Postal code/ }).click();
    expect(await focusedLabel(page)).toBe('Postal code');
    expect(await taskCount()).toBe(before);
  });

  test('finds another patient, keeps typed values, and has no name in a URL', async () => {
    const { page } = clinic.owner;
    await openForm(page, 'Ask a list of questions');
    await page.getByLabel('Goal').fill('Ask for the opening hours.');
    await page.getByLabel('Find another patient').fill('hadd');
    // Enter in the search field searches, without sending the task or showing an error.
    await page.getByLabel('Find another patient').press('Enter');
    await page.getByText('1 patient found for “hadd”.').waitFor();
    expect(page.url()).not.toMatch(/hadd/i);
    expect(await focusedLabel(page)).toBe('Patient');
    const chosen = page.getByLabel('Patient', { exact: true }).locator('option:checked');
    expect(await chosen.textContent()).toBe('Noor Haddad, born Jan 31, 1990');
    await page.getByRole('button', { name: 'Add question' }).click();
    await page.getByRole('group', { name: 'Question 5' }).waitFor();
    expect(await focusedLabel(page)).toBe('What to ask');
    expect(await chosen.textContent()).toBe('Noor Haddad, born Jan 31, 1990');
    expect(await page.getByLabel('Goal').inputValue()).toBe('Ask for the opening hours.');
    await look(page, 'new-task-questions');
  });

  test('keeps its values while a patient is added in another tab', async () => {
    const { page, context } = clinic.owner;
    await openForm(page, 'Ask a list of questions');
    await page.getByLabel('Goal').fill('Ask for the opening hours.');
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Add a patient' }).click();
    const tab = await opened;
    await tab.getByRole('heading', { name: 'New patient', level: 1 }).waitFor();
    await tab.close();
    expect(await page.getByLabel('Goal').inputValue()).toBe('Ask for the opening hours.');
  });

  test('creates a task similar to another one', async () => {
    const { page } = clinic.owner;
    const { task_data, ...call } = uncalledTask('SCHEDULE_APPOINTMENT');
    await page.goto(`${clinic.address}/tasks/${scheduled}`);
    await page.getByRole('link', { name: 'Duplicate task' }).click();
    await page.getByLabel('Number to call').fill('+1 202 555 0113');
    const similar = await create(page);
    expect(similar).not.toBe(scheduled);
    expect(await stored(similar)).toMatchObject({ ...call, patient_id: patientId, task_data });
  });

  test('creates one task when sent twice, or again after going back', async () => {
    const { page } = clinic.owner;
    const before = await taskCount();
    await page.goto(`${clinic.address}/new-task?like=${scheduled}`);
    await page.getByLabel('Number to call').waitFor();
    await page.getByRole('button', { name: 'Create task' }).dblclick();
    await page.getByText('The task was created.').waitFor();
    const taskId = taskIdOf(page);
    await page.goBack();
    const again = await create(page);
    expect(again).toBe(taskId);
    expect(await taskCount()).toBe(before + 1);
  });

  test('is hidden from viewers', async () => {
    const { page } = clinic.viewer;
    for (const address of [`${clinic.address}/tasks`, `${clinic.address}/tasks/${scheduled}`]) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.getByRole('link', { name: /New task|similar/ }).count()).toBe(0);
    }
    for (const query of ['', '?type=CUSTOM_TASK', `?like=${scheduled}`]) {
      expect((await page.goto(`${clinic.address}/new-task${query}`))?.status()).toBe(403);
    }
  });

  test('exists for tasks of every type', () => {
    expect(demoTasks.map(({ body }) => body.task_type)).toEqual([...taskTypes]);
  });

  test('caused no browser violations', () => {
    expect(clinic.complaints()).toEqual([]);
  });
});
