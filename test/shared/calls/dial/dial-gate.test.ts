import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findHeldSlot } from '#shared/calls/capacity/held-slot.ts';
import { type CallingHours, defaultCallingHours } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import { cancelTask } from '#shared/tasks/cancel-task.ts';
import { CallFixture } from '../../../support/call-fixture.ts';
import { respondJson } from '../../../support/http-server.ts';
import { sampleTime } from '../../../support/sample-tasks.ts';
import { storePatient } from '../../../support/stored-patients.ts';

let fixture: CallFixture;
beforeEach(async () => {
  fixture = await CallFixture.start();
});
afterEach(() => fixture.stop());

/** The sample time is ten in the morning on the East coast, where the sample numbers are. */
function hours(opens: string, closes: string): CallingHours {
  return { ...defaultCallingHours, opens, closes };
}

function callsPlaced(): number {
  return fixture.carrier.calls.length;
}

/** The patient of the task, at home in California, can be called at the number of the task. */
async function withPatientInCalifornia(task: Task): Promise<void> {
  await storePatient(fixture.table, {
    id: task.patient_id,
    project_id: task.project_id,
    first_name: 'Avery',
    last_name: 'Example',
    phone_number: task.phone_number,
    date_of_birth: '1980-01-01',
    address: {
      street_name: '1 Example Street',
      city: 'Fresno',
      state: 'CA',
      postal_code: '93701',
      country_code: 'US',
    },
    created_at: sampleTime,
    updated_at: sampleTime,
  });
}

describe('calling hours', () => {
  test('are awaited, and the number rings as soon as they begin', async () => {
    const task = await fixture.newTask({}, { calling_hours: hours('12:00', '21:00') });
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(await fixture.task(task)).toEqual({
      ...task,
      next_attempt_at: '2026-03-02T17:00:00.000Z',
      next_attempt_reason:
        'Outside the calling hours of the number called (12:00-21:00 in America/New_York).',
      updated_at: fixture.now.toISOString(),
    });
    expect(callsPlaced()).toBe(0);
    fixture.pass(2 * 60 * 60);
    await fixture.dialDue();
    expect(await fixture.calls(task)).toHaveLength(1);
  });

  test('are those of every place where the phone may be', async () => {
    const task = await fixture.newTask({}, { calling_hours: hours('08:00', '21:00') });
    await withPatientInCalifornia(task);
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(await fixture.task(task)).toMatchObject({
      next_attempt_at: '2026-03-02T16:00:00.000Z',
      next_attempt_reason: 'Outside the calling hours of the number called (08:00-21:00 in 2 time zones).',
    });
    expect(callsPlaced()).toBe(0);
  });

  test('that never come fail the task with that reason', async () => {
    const task = await fixture.newTask({}, { calling_hours: hours('08:00', '10:30') });
    await withPatientInCalifornia(task);
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(await fixture.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome:
        'The number cannot be called: the calling hours of the project (08:00-10:30 in 2 time zones) never come.',
      next_attempt_at: null,
    });
  });

  test('apply to the next attempt when it is planned', async () => {
    const task = await fixture.newTask({}, { calling_hours: hours('08:00', '10:04') });
    await fixture.progress(await fixture.dial(task), 'busy', 2);
    expect(await fixture.task(task)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: '2026-03-03T13:00:00.000Z',
      next_attempt_reason:
        'The line was busy. Attempt 2 of 3 scheduled. Outside the calling hours of the number called ' +
        '(08:00-10:04 in America/New_York).',
    });
  });

  test('end the wait for a slot, which restarts when they return', async () => {
    const changes = { calling_hours: hours('08:00', '10:30'), max_concurrent_calls: 1 };
    const first = await fixture.newTask({}, changes);
    const second = await fixture.newTask({ project_id: first.project_id });
    await fixture.dial(first);
    await fixture.handle({ kind: 'dial', task_id: second.id });
    expect((await fixture.task(second)).waiting_for_line_since).not.toBeNull();
    fixture.pass(60 * 60);
    await fixture.handle({ kind: 'dial', task_id: second.id });
    expect(await fixture.task(second)).toMatchObject({
      waiting_for_line_since: null,
      next_attempt_at: '2026-03-03T13:00:00.000Z',
    });
  });
});

describe('a call that the carrier queues', () => {
  async function dialQueued(queueMs: string | null): Promise<{ task: Task; status: string | undefined }> {
    fixture.carrier.onPlacement((request, response) => {
      const { sid } = fixture.carrier.acceptCall(request);
      respondJson(response, 201, { sid, status: 'queued', queue_time: queueMs });
    });
    const task = await fixture.newTask({}, { calling_hours: hours('08:00', '10:30') });
    await fixture.dial(task);
    return { task, status: fixture.carrier.calls[0]?.status };
  }

  test.each(['0', '1000', String(29 * 60_000), null])('for %s ms is left to ring', async (queueMs) => {
    expect((await dialQueued(queueMs)).status).toBe('queued');
  });

  test('beyond the calling hours is ended at once, and the task is called again within them', async () => {
    const { task, status } = await dialQueued(String(31 * 60_000));
    expect(status).toBe('completed');
    await fixture.progress(await fixture.newestCall(task), 'canceled', 2);
    expect(await fixture.task(task)).toMatchObject({ status: 'IN_PROGRESS', attempts: 1 });
  });

  test('is tracked like any other if it does not end on request', async () => {
    fixture.carrier.interfere = (request, response) => {
      if (request.method !== 'POST') return false;
      if (request.url.endsWith('/Calls.json')) {
        const { sid } = fixture.carrier.acceptCall(request);
        respondJson(response, 201, { sid, status: 'queued', queue_time: '86400000' });
      } else response.destroy();
      return true;
    };
    const task = await fixture.newTask({}, { calling_hours: hours('08:00', '10:30') });
    expect(await fixture.dial(task)).toMatchObject({ submission: 'submitted', status: 'IN_PROGRESS' });
  });
});

describe('a task that is canceled during its dial', () => {
  test('leaves no call open if the carrier did not accept it', async () => {
    const task = await fixture.newTask();
    const cancelDuring = async (): Promise<void> => {
      await cancelTask(fixture.table, { projectId: task.project_id, taskId: task.id });
    };
    fixture.carrier.interfere = (request, response) => {
      if (request.method !== 'POST') return false;
      void cancelDuring().then(() => respondJson(response, 429, { code: 20429 }));
      return true;
    };
    await fixture.handle({ kind: 'dial', task_id: task.id });
    const call = await fixture.newestCall(task);
    expect(call).toMatchObject({ status: 'CANCELLED', submission: 'abandoned' });
    expect(call.completed_at).not.toBeNull();
    expect(await findHeldSlot(fixture.table, call)).toBeNull();
    expect((await getCallCapacity(fixture.table, 'sandbox')).slots[task.project_id]).toBe(0);
  });

  test('has its call checked soon if the carrier accepted it', async () => {
    const task = await fixture.newTask();
    fixture.carrier.onPlacement((request, response) => {
      const { sid } = fixture.carrier.acceptCall(request);
      void cancelTask(fixture.table, { projectId: task.project_id, taskId: task.id }).then(() =>
        respondJson(response, 201, { sid, status: 'queued' }),
      );
    });
    await fixture.handle({ kind: 'dial', task_id: task.id });
    const call = await fixture.newestCall(task);
    expect(fixture.queued()).toEqual([
      { body: { kind: 'call-due', task_id: task.id, call_id: call.id }, isDelayed: true },
    ]);
    await fixture.look(call);
    expect(fixture.carrier.calls[0]?.status).toBe('completed');
  });
});
