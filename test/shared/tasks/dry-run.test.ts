import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { defaultCallingHours, type Project } from '#shared/domain/project.ts';
import { createCallItem } from '#shared/table/call.ts';
import { addOptOutItem } from '#shared/table/opt-out.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { checkCreation } from '#shared/tasks/dry-run/check-creation.ts';
import { foreseeTask } from '#shared/tasks/dry-run/foresee-task.ts';
import type { TaskForecast } from '#shared/tasks/dry-run/task-forecast.ts';
import { CallFixture } from '../../support/call-fixture.ts';
import {
  sampleCall,
  sampleGrant,
  sampleProject,
  sampleTask,
  sampleTime,
} from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';
import { storePatient } from '../../support/stored-patients.ts';

let fixture: CallFixture;
beforeEach(async () => {
  fixture = await CallFixture.start();
});
afterEach(() => fixture.stop());

const phoneNumber = '+12125550123';

async function given(changes: Partial<Project> = {}, members: Partial<NewTask> = {}) {
  const project = sampleProject(changes);
  await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
  const patient_id = '01a1fc97-58bc-708f-8a0c-7cb537214c80';
  await storePatient(fixture.table, {
    id: patient_id,
    project_id: project.id,
    first_name: 'Avery',
    last_name: 'Quackenbush',
    phone_number: '+12025550142',
    date_of_birth: '1980-01-01',
    created_at: sampleTime,
    updated_at: sampleTime,
  });
  const newTask: NewTask = {
    project_id: project.id,
    patient_id,
    task_type: 'SCHEDULE_APPOINTMENT',
    task: 'Schedule an annual physical.',
    phone_number: phoneNumber,
    ...members,
  };
  return { project, newTask };
}

async function foresee(newTask: NewTask): Promise<TaskForecast> {
  const { carrierLimits, numberLimits, optOutScope } = fixture.services;
  const { table, now } = fixture;
  const creatable = await checkCreation({ table, hasSandboxPhone: true }, newTask.project_id, newTask, now);
  return foreseeTask({ table, carrierLimits, numberLimits, optOutScope, now: () => now }, creatable);
}

/** Everything in the table, by its keys. */
async function everything(): Promise<Record<string, unknown>> {
  const items = await scanTable(fixture.table);
  return Object.fromEntries(items.map((item) => [`${item.pk} ${item.sk}`, item]));
}

/** Really creates the task and has it dialed. */
async function dialed(newTask: NewTask) {
  const task = await createTask(fixture.table, {
    projectId: newTask.project_id,
    newTask,
    now: fixture.now,
  });
  await fixture.handle({ kind: 'dial', task_id: task.id });
  return fixture.task(task);
}

describe('a dry run', () => {
  const noon = { ...defaultCallingHours, opens: '12:00', closes: '21:00' };

  test('predicts a call at once, if nothing prevents it', async () => {
    const { newTask } = await given();
    const before = await everything();
    const { call, line, limits } = await foresee(newTask);
    expect(call).toMatchObject({ will_be_made: true, reason: null, at: fixture.now.toISOString() });
    expect([line, limits]).toEqual([{ is_free: true, reason: null }, null]);
    expect(await everything()).toEqual(before);
    expect((await dialed(newTask)).current_call_id).not.toBeNull();
  });

  test.each<[string, Partial<Project>, Partial<NewTask>]>([
    ['hours that begin later', { calling_hours: noon }, {}],
    ['hours that come too late', { calling_hours: noon }, { call_before: '2026-03-02T15:30:00.000Z' }],
    ['a wish for later', {}, { call_after: '2026-03-02T17:00:00.000Z' }],
  ])('predicts the outcome: %s', async (_, changes, members) => {
    const { newTask } = await given(changes, members);
    const { call } = await foresee(newTask);
    const task = await dialed(newTask);
    if (task.status === 'FAILED') {
      expect(call).toMatchObject({ will_be_made: false, reason: task.task_outcome, at: null });
    } else {
      expect(task.current_call_id).toBeNull();
      const { next_attempt_at: at, next_attempt_reason: reason } = task;
      expect(call).toMatchObject({ will_be_made: true, reason, at });
    }
  });

  test('predicts no call to a person who opted out', async () => {
    const { project, newTask } = await given();
    await writeTransaction(fixture.table, [
      addOptOutItem(fixture.table, {
        project_id: project.id,
        phone_number: phoneNumber,
        call_id: null,
        task_id: null,
        created_at: sampleTime,
      }),
    ]);
    const { call } = await foresee(newTask);
    expect(call).toMatchObject({ will_be_made: false, at: null });
    expect((await dialed(newTask)).task_outcome).toBe(call.reason);
  });

  test('predicts a wait for a slot, and its length under live limits', async () => {
    const { newTask } = await given({ carrier: 'live', live_grant: sampleGrant });
    const free = await foresee(newTask);
    expect(free.limits).toEqual({
      number_calls_per_day: 6,
      number_gap_minutes: 10,
      project_calls_left: sampleGrant.calls_per_day,
      project_minutes_left: sampleGrant.minutes_per_day,
    });
    const first = await dialed(newTask);
    const busy = await foresee(newTask);
    expect(busy.line).toEqual({ is_free: false, reason: 'Another call to this number is in progress.' });
    expect(busy.limits?.project_calls_left).toBe(sampleGrant.calls_per_day - 1);
    const [call] = await fixture.calls(first);
    if (call === undefined) throw new Error('no call was made');
    await fixture.progress(call, 'busy', 2);
    const { call: next } = await foresee(newTask);
    const second = await dialed(newTask);
    expect(next).toMatchObject({
      will_be_made: true,
      reason: '10 minutes must pass between two calls to a number.',
      at: second.next_attempt_at,
    });
    expect(second.next_attempt_reason).toBe(next.reason);
  });

  test('is refused with the details of the creation', async () => {
    const cases = [
      await given({ enabled_task_types: [] }),
      await given({ allowed_countries: ['CA'] }),
      await given({ carrier: 'live', live_grant: null }),
    ].map(({ newTask }) => newTask);
    const { newTask } = await given();
    const named = { ...newTask, external_id: 'order-1' };
    await createTask(fixture.table, { projectId: named.project_id, newTask: named });
    cases.push(named, { ...newTask, patient_id: named.project_id });
    for (const one of cases) {
      const refused = await createTask(fixture.table, { projectId: one.project_id, newTask: one }).catch(
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(Error);
      await expect(foresee(one)).rejects.toEqual(refused);
    }
  });

  test('names the questions and disclosable facts, without values', async () => {
    const { newTask } = await given();
    const { questions, facts, estimate } = await foresee(newTask);
    expect(questions.length).toBeGreaterThan(0);
    expect(facts).toContainEqual({ field: 'patient.date_of_birth', label: 'date of birth' });
    expect(JSON.stringify([questions, facts])).not.toMatch(/Quackenbush|1980/);
    // The length of the measured calls, which is renewed.
    expect(estimate).toMatchObject({ minutes: expect.closeTo(2, 0), cost_usd: 0, most_calls: 3 });
  });

  test("estimates the length from the project's own answered calls of the type", async () => {
    const { project, newTask } = await given();
    const task = sampleTask(project, { status: 'COMPLETED', task_type: newTask.task_type });
    await writeTransaction(fixture.table, [createTaskItem(fixture.table, task)]);
    const store = (count: number, members: Partial<Call>) =>
      writeTransaction(
        fixture.table,
        Array.from({ length: count }, () =>
          createCallItem(
            fixture.table,
            sampleCall(task, { id: uuidv7(), due_at: null, ...ended, ...members }),
          ),
        ),
      );
    const ended = { ended_at: sampleTime, completed_at: sampleTime };
    const measured = (await foresee(newTask)).estimate;
    await store(6, { status: 'BUSY', carrier_progress: 'busy', talk_seconds: 0 });
    expect((await foresee(newTask)).estimate).toEqual(measured);
    await store(5, { status: 'SUCCESS', carrier_progress: 'completed', talk_seconds: 300 });
    expect((await foresee(newTask)).estimate).toMatchObject({
      minutes: 5,
      basis: expect.stringContaining("the median of the project's last 5 answered calls of this type"),
    });
  });
});
