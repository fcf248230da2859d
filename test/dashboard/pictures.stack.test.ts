import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call, CallStatus } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { TaskStatus } from '#shared/domain/task.ts';
import { createCallItem } from '#shared/table/call.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type Clinic, newVisitor, openClinic, signInAs, type Visitor } from '../support/browser.ts';
import { sampleCall, sampleResult, sampleTask } from '../support/sample-tasks.ts';
import { stack, stackTable } from '../support/stack.ts';

// The README's screenshots, which only `npm run pictures` takes.
const directory = fileURLToPath(new URL('../../docs', import.meta.url));
const bytesAtMost = 150_000;

const { baseUrl } = stack();

let clinic: Clinic;
let visitor: Visitor;
let patientId: string;
beforeAll(async () => {
  clinic = await openClinic({ name: 'Harbor Street Clinic' });
  visitor = await newVisitor(clinic.browser, {
    timezoneId: 'America/Chicago',
    // The width of a README.
    viewport: { width: 1180, height: 1240 },
    deviceScaleFactor: 0.8,
  });
  await signInAs(visitor.page, baseUrl, 'Olive Owner');
  patientId = await clinic.register();
});
afterAll(() => clinic?.close());

const order = (phone_number: string): Promise<string> => clinic.order(patientId, { phone_number });

/** Possible outcomes of calls for ten patients. */
const outcomes: readonly (readonly [TaskStatus, ...CallStatus[]])[] = [
  ['COMPLETED', 'SUCCESS'],
  ['COMPLETED', 'SUCCESS'],
  ['COMPLETED', 'NO_ANSWER', 'SUCCESS'],
  ['COMPLETED', 'SUCCESS'],
  ['COMPLETED', 'BUSY', 'VOICEMAIL', 'SUCCESS'],
  ['COMPLETED', 'SUCCESS'],
  ['FAILED', 'FAILED'],
  ['COMPLETED', 'SUCCESS'],
  ['COMPLETED', 'BUSY', 'SUCCESS'],
  ['CANCELLED', 'VOICEMAIL'],
];
const progressAtCarrier: Partial<Record<CallStatus, Call['carrier_progress']>> = {
  SUCCESS: 'completed',
  VOICEMAIL: 'completed',
  NO_ANSWER: 'no_answer',
  BUSY: 'busy',
  FAILED: 'failed',
};
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/** A week of a clinic that calls from morning to evening, as stored in the table. */
async function inventWeek(projectId: string): Promise<void> {
  const table = stackTable();
  const midnight = new Date().setUTCHours(5, 0, 0, 0);
  for (let number = 0; number < 90; number += 1) {
    const [status, ...results] = outcomes[number % outcomes.length] ?? ['COMPLETED'];
    const hour = [9, 10, 14, 11, 9, 13, 15, 10, 16, 11, 12][number % 11] ?? 9;
    const createdMs = midnight - (1 + (number % 6)) * dayMs + hour * hourMs + number * 25_000;
    const callMs = (attempt: number): number =>
      createdMs + 1000 + attempt * (number % 4 === 0 ? 90 : 5) * minuteMs;
    const at = (ms: number) => ({ created_at: new Date(ms).toISOString() });
    const endedAt = new Date(callMs(results.length - 1) + 3 * minuteMs).toISOString();
    const task = sampleTask(
      { id: projectId },
      {
        id: uuidv7(createdMs),
        patient_id: patientId,
        status,
        attempts: results.length,
        result: status === 'COMPLETED' ? sampleResult({ goal_reached: number % 8 !== 0 }) : null,
        next_attempt_at: null,
        next_attempt_reason: null,
        ...at(createdMs),
        updated_at: endedAt,
      },
    );
    const calls = results.map((result, attempt) =>
      sampleCall(task, {
        id: uuidv7(callMs(attempt)),
        attempt: attempt + 1,
        status: result,
        submission: 'submitted',
        talk_seconds: result === 'SUCCESS' ? 180 : null,
        carrier_progress: progressAtCarrier[result] ?? 'completed',
        ended_at: endedAt,
        completed_at: endedAt,
        ...at(callMs(attempt)),
      }),
    );
    await writeTransaction(table, [
      createTaskItem(table, task),
      ...calls.map((call) => createCallItem(table, call)),
    ]);
  }
}

async function take(page: Page, name: string): Promise<void> {
  const { byteLength } = await page.screenshot({ path: `${directory}/${name}.png` });
  expect(byteLength, name).toBeLessThan(bytesAtMost);
}

describe('the screenshots of the docs', () => {
  test('show a completed task with its recording playing', async () => {
    const { page } = visitor;
    await page.goto(`${clinic.address}/tasks/${await order('+12025550100')}`);
    await page.getByText('The task has ended: Completed.').waitFor({ state: 'attached', timeout: 90_000 });
    await page.getByText('Delivered').waitFor({ timeout: 90_000 });
    await page.locator('audio').waitFor({ timeout: 90_000 });
    await page.locator('audio').focus();
    await page.keyboard.press('Space');
    await page.locator('.conversation .heard').waitFor();
    await page.evaluate("document.querySelector('audio').currentTime = 10");
    await page.locator('.conversation .user.heard').waitFor();
    await page.keyboard.press('Space');
    await page.evaluate('document.activeElement.blur()');
    await page.evaluate("scrollTo(0, document.querySelector('#timeline').offsetTop - 24)");
    await take(page, 'dashboard-task');
  });

  test('show the outcomes of a week of tasks', async () => {
    const { page } = visitor;
    const waiting = [await order('+12025550110'), await order('+12025550112')];
    await inventWeek(clinic.client.projectId);
    for (const id of waiting) {
      await page.goto(`${clinic.address}/tasks/${id}`);
      await page.getByText('Call 1 ended').waitFor({ timeout: 90_000 });
    }
    await page.goto(clinic.address);
    await page.getByRole('heading', { name: 'Tasks by outcome' }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain('UTC');
    await take(page, 'dashboard-overview');
  });
});
