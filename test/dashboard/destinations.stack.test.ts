import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Clinic,
  confirm,
  look,
  newVisitor,
  noticeOn,
  openClinic,
  signInAs,
  textOf,
} from '../support/browser.ts';
import { stack } from '../support/stack.ts';

const { baseUrl } = stack();

let clinic: Clinic;
beforeAll(async () => {
  clinic = await openClinic();
});
afterAll(() => clinic?.close());

describe('choices for new tasks at a browser', () => {
  test('a destination is added, fills in its number, and is removed', async () => {
    const { page } = clinic.owner;
    await page.goto(`${clinic.address}/destinations`);
    await look(page, 'destinations-empty');
    await page.getByRole('link', { name: 'Add destination' }).click();
    await page.getByLabel('Name').fill('Example Health, provider line');
    await page.getByLabel('Kind').selectOption('Payer');
    await page.getByLabel('Phone number').fill('(202) 555-0101');
    await page.getByLabel('Time zone').selectOption('Central Time');
    await page.getByLabel('Monday').check();
    await page.getByLabel('Opens').fill('8');
    await page.getByRole('button', { name: 'Save destination' }).click();
    await page.getByRole('link', { name: 'Enter a closing time' }).click();
    await look(page, 'destination-form');
    await page.getByLabel('Closes').first().fill('5:30 pm');
    await page.getByRole('button', { name: 'Save destination' }).click();
    expect(await noticeOn(page)).toContain('The destination was saved.');
    expect(await textOf(page.getByRole('main'))).toContain('Mon: 8 AM–5:30 PM');
    await look(page, 'destinations');

    await page.goto(`${clinic.address}/new-task?type=CUSTOM_TASK`);
    const number = page.getByLabel('Number to call');
    await page
      .getByLabel('Destination')
      .selectOption('Example Health, provider line · Payer · +1 (202) 555-0101');
    expect(await number.inputValue()).toBe('+12025550101');
    await number.fill('(202) 555-0103');
    expect(await page.getByLabel('Destination').inputValue()).toBe('');

    await clinic.viewer.page.goto(`${clinic.address}/destinations`);
    expect(await clinic.viewer.page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await page.goto(`${clinic.address}/destinations`);
    await confirm(page, 'Remove');
    expect(await noticeOn(page)).toContain('The destination was removed.');
  });

  test('questions are saved as a template and reused, also without scripts', async () => {
    const { context, page } = await newVisitor(clinic.browser, { javaScriptEnabled: false });
    await signInAs(page, baseUrl, 'Olive Owner');
    await page.goto(`${clinic.address}/new-task?type=CUSTOM_TASK`);
    await page.getByLabel('Goal').fill('Ask about the MRI.');
    await page.getByLabel('What to ask').first().fill('Is it covered?');
    await page.getByText('Save these questions as a template').click();
    await page.getByLabel('Template name').fill('MRI');
    await page.getByLabel('Template name').press('Enter');
    await page.getByText('You can choose “MRI” in new tasks now.').waitFor();
    expect(await page.getByLabel('Goal').inputValue()).toBe('Ask about the MRI.');

    await page.goto(`${clinic.address}/new-task?type=CUSTOM_TASK`);
    await page.getByLabel('Template', { exact: true }).selectOption('MRI (1 question)');
    await page.getByRole('button', { name: 'Add its questions' }).click();
    expect(await page.getByLabel('What to ask').first().inputValue()).toBe('Is it covered?');
    await context.close();

    await clinic.owner.page.goto(`${clinic.address}/new-task?type=CUSTOM_TASK`);
    await look(clinic.owner.page, 'new-task-with-templates');
    await clinic.owner.page.goto(`${clinic.address}/templates`);
    await look(clinic.owner.page, 'templates');
  });

  test('caused no browser violations', () => {
    expect(clinic.complaints()).toEqual([]);
  });
});
