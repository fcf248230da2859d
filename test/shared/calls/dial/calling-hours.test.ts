import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dialTask } from '#shared/calls/dial/dial-task.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { type CallingHours, defaultCallingHours } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { CallFixture } from '../../../support/call-fixture.ts';
import { respondJson, type SeenRequest } from '../../../support/http-server.ts';
import { sampleTime } from '../../../support/sample-tasks.ts';
import { storePatient } from '../../../support/stored-patients.ts';

// Each test has its own time, and a fixture's clock only moves forward.
let fixture: CallFixture;
beforeEach(async () => {
  fixture = await CallFixture.start();
});
afterEach(() => fixture.stop());

function clockAt(time: string): void {
  fixture.pass((Date.parse(time) - fixture.now.getTime()) / 1000);
}

function newTask(changes: Partial<Task> = {}, hours: Partial<CallingHours> = {}): Promise<Task> {
  return fixture.newTask(changes, { calling_hours: { ...defaultCallingHours, ...hours } });
}

async function dialledBy(task: Task): Promise<boolean> {
  await fixture.handle({ kind: 'dial', task_id: task.id });
  return (await fixture.calls(task)).length > 0;
}

describe('the gate before a call', () => {
  test('admits a call from the opening minute until the closing minute', async () => {
    clockAt('2026-03-03T01:59:59.000Z');
    expect(await dialledBy(await newTask())).toBe(true);
    clockAt('2026-03-03T02:00:00.000Z');
    expect(await dialledBy(await newTask())).toBe(false);
    clockAt('2026-03-03T13:00:00.000Z');
    expect(await dialledBy(await newTask())).toBe(true);
  });

  test('admits no call to a number that closed while other dials went first', async () => {
    clockAt('2026-03-03T01:59:59.000Z');
    const task = await newTask();
    let hasLooked = false;
    const now = (): Date => {
      if (hasLooked) return new Date('2026-03-03T02:00:01.000Z');
      hasLooked = true;
      return fixture.now;
    };
    await dialTask({ ...fixture.services, now }, task.id);
    expect(await fixture.calls(task)).toEqual([]);
    expect(await fixture.task(task)).toMatchObject({ next_attempt_at: '2026-03-03T13:00:00.000Z' });
  });

  test('defers a task outside the hours, with the reason, and then calls', async () => {
    clockAt('2026-03-03T04:00:00.000Z');
    const task = await newTask();
    expect(await dialledBy(task)).toBe(false);
    expect(await fixture.task(task)).toMatchObject({
      status: 'PENDING',
      attempts: 0,
      next_attempt_at: '2026-03-03T13:00:00.000Z',
      next_attempt_reason:
        'Outside the calling hours of the number called (08:00-21:00 in America/New_York).',
    });
    clockAt('2026-03-03T13:00:00.000Z');
    expect(await fixture.isDue(task.id)).toBe(true);
    expect(await dialledBy(task)).toBe(true);
  });

  test('follows a clock change during the night', async () => {
    clockAt('2026-03-08T04:00:00.000Z');
    const task = await newTask();
    await dialledBy(task);
    expect((await fixture.task(task)).next_attempt_at).toBe('2026-03-08T12:00:00.000Z');
  });

  test('uses the address of the provider with that number', async () => {
    const phone_number = '+12025550142';
    const address = { city: 'Portland', state: 'Oregon', country_code: 'US' };
    const task = await newTask({ phone_number, task_data: { provider: { phone_number, address } } });
    await dialledBy(task);
    expect(await fixture.task(task)).toMatchObject({
      next_attempt_at: '2026-03-02T16:00:00.000Z',
      next_attempt_reason: 'Outside the calling hours of the number called (08:00-21:00 in 3 time zones).',
    });
  });

  test("uses the patient's address only if the patient is called", async () => {
    const called = await newTask({ phone_number: '+12025550143' });
    const another = await newTask({ patient_id: called.patient_id });
    await storePatient(fixture.table, {
      id: called.patient_id,
      project_id: called.project_id,
      first_name: 'Maya',
      last_name: 'Rivera',
      phone_number: called.phone_number,
      date_of_birth: '1984-07-12',
      address: {
        street_name: '1 Example Street',
        city: 'Hilo',
        state: 'HI',
        postal_code: '96720',
        country_code: 'US',
      },
      created_at: sampleTime,
      updated_at: sampleTime,
    });
    expect(await dialledBy(called)).toBe(false);
    expect((await fixture.task(called)).next_attempt_at).toBe('2026-03-02T18:00:00.000Z');
    expect(await dialledBy(another)).toBe(true);
  });

  test('observes public holidays if the project says so', async () => {
    clockAt('2026-05-25T15:00:00.000Z');
    expect(await dialledBy(await newTask())).toBe(true);
    const task = await newTask({}, { on_holidays: false });
    expect(await dialledBy(task)).toBe(false);
    expect((await fixture.task(task)).next_attempt_at).toBe('2026-05-26T12:00:00.000Z');
  });

  test('fails a task if the hours of its zones never overlap', async () => {
    const task = await newTask({ phone_number: '+18005550142' }, { opens: '09:00', closes: '11:00' });
    expect(await dialledBy(task)).toBe(false);
    expect(await fixture.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome: expect.stringContaining('09:00-11:00 in 52 time zones'),
      next_attempt_at: null,
    });
  });
});

describe('after a call', () => {
  test('a next attempt outside the hours moves to their start', async () => {
    clockAt('2026-03-03T01:58:00.000Z');
    const task = await newTask();
    const call = await fixture.dial(task);
    await fixture.progress(call, 'busy', 1);
    await fixture.lookUntilCompleted(call);
    const waiting = await fixture.task(task);
    expect(waiting.next_attempt_at).toBe('2026-03-03T13:00:00.000Z');
    expect(waiting.next_attempt_reason).toContain('Outside the calling hours of the number called');
  });
});

describe("a call in the carrier's own queue", () => {
  test.each([
    ['beyond the end of the hours is ended at once', '1800000', true],
    ['within the hours is left alone', '60000', false],
  ])('%s', async (_, queueMs, isEnded) => {
    clockAt('2026-03-03T01:40:00.000Z');
    const ended: SeenRequest[] = [];
    const sid = `CA${uuidv7().replaceAll('-', '')}`;
    fixture.carrier.interfere = (request, response) => {
      if (request.method !== 'POST') return false;
      if (request.url.endsWith(`/Calls/${sid}.json`)) ended.push(request);
      const queued = { sid, status: 'queued', date_created: null, start_time: null, duration: null };
      respondJson(response, 201, { ...queued, queue_time: queueMs });
      return true;
    };
    await fixture.dial(await newTask());
    expect(ended.length > 0).toBe(isEnded);
  });

  test('is ended after its hours if it does not end in time', async () => {
    clockAt('2026-03-03T01:50:00.000Z');
    const call = await fixture.dial(await newTask());
    const atCarrier = fixture.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
    clockAt('2026-03-03T01:58:00.000Z');
    await fixture.look(call);
    expect(atCarrier?.status).toBe('queued');
    clockAt('2026-03-03T02:03:00.000Z');
    await fixture.look(call);
    expect(atCarrier?.status).toBe('completed');
  });
});
