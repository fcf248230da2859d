import { describe, expect, test } from 'vitest';
import { callDeadline } from '#shared/calls/lifecycle/deadlines.ts';
import type { Task } from '#shared/domain/task.ts';
import { callFixtureForThisFile } from '../../../support/call-fixture.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { storeEntry } from '../../../support/directory-entries.ts';
import { respondJson } from '../../../support/http-server.ts';

const fixture = await callFixtureForThisFile();

describe('dialing', () => {
  test('sends the call to the carrier with callbacks that name it', async () => {
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    expect(call).toMatchObject({
      submission: 'submitted',
      carrier_call_sid: fixture.carrier.calls[0]?.sid,
      status: 'IN_PROGRESS',
    });
    const form = new URLSearchParams(fixture.placements(task)[0]?.body);
    expect(form.get('To')).toBe(task.phone_number);
    expect(form.get('From')).toBe('+12025550199');
    const base = 'https://api.example.test/carrier';
    expect(form.get('Url')).toBe(`${base}/answer/${task.id}/${call.id}#rc=3&rp=5xx,ct,rt`);
    expect(form.get('StatusCallback')).toBe(`${base}/status/${task.id}/${call.id}#rc=3&rp=5xx,ct,rt`);
    expect(form.get('TimeLimit')).toBe('4500');
    expect(call.max_talk_seconds).toBeNull();
    expect(await fixture.task(task)).toMatchObject({ status: 'IN_PROGRESS', current_call_id: call.id });
  });

  test("passes the directory's limit to the carrier, and sets the deadline by it", async () => {
    const task = await fixture.newTask();
    await storeEntry(fixture.table, task.phone_number, { max_call_minutes: 90 });
    const call = await fixture.dial(task);
    expect(new URLSearchParams(fixture.placements(task)[0]?.body).get('TimeLimit')).toBe('5400');
    expect(callDeadline(call)).toBe(Date.parse(call.created_at) + (45 + 5400 + 300) * 1000);
  });

  test('dials once per attempt, with any number of concurrent messages', async () => {
    const task = await fixture.newTask();
    const message = { kind: 'dial', task_id: task.id } as const;
    await Promise.allSettled(Array.from({ length: 20 }, () => fixture.handle(message)));
    await fixture.handle(message);
    expect(fixture.placements(task)).toHaveLength(1);
    expect(await fixture.calls(task)).toHaveLength(1);
  });

  test('warms up the answering functions only once the carrier has the call', async () => {
    const [placed, refused] = [await fixture.newTask(), await fixture.newTask()];
    const before = fixture.warmUps;
    await fixture.handle({ kind: 'dial', task_id: placed.id });
    await fixture.handle({ kind: 'dial', task_id: placed.id });
    expect(fixture.warmUps - before).toBe(1);
    fixture.carrier.onPlacement((_, response) => respondJson(response, 429, { code: 20429 }));
    await fixture.handle({ kind: 'dial', task_id: refused.id });
    expect(fixture.warmUps - before).toBe(1);
  });

  test('waits for the time of the attempt', async () => {
    const task = await fixture.newTask({
      next_attempt_at: new Date(fixture.now.getTime() + 60_000).toISOString(),
    });
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(fixture.placements(task)).toHaveLength(0);
    fixture.pass(60);
    await fixture.dial(task);
    expect(fixture.placements(task)).toHaveLength(1);
  });

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'] as const)('leaves a %s task alone', async (status) => {
    const task = await fixture.newTask({ status });
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(fixture.placements(task)).toHaveLength(0);
    expect(await fixture.task(task)).toEqual(task);
  });

  test('ignores a missing task', async () => {
    await fixture.handle({ kind: 'dial', task_id: '01890a5d-ac96-774b-bcce-b302099a8057' });
  });
});

describe('a number that the carrier refuses', () => {
  test('ends call and task at once with a clear outcome', async () => {
    fixture.carrier.onPlacement((_, response) => respondJson(response, 400, { code: 21211 }));
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    expect(call).toMatchObject({
      status: 'FAILED',
      call_outcome: 'The telephone carrier refused the number as uncallable.',
      closed_by: 'carrier',
      carrier_error_code: '21211',
      recording: { status: 'none' },
      due_at: null,
    });
    expect(call.completed_at).not.toBeNull();
    expect(await fixture.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome: 'The telephone carrier refused the number as uncallable. No further calls are made.',
      current_call_id: null,
      last_call_id: call.id,
      next_attempt_at: null,
    });
  });
});

describe('a carrier that takes no calls right now', () => {
  test.each([
    ['throttled', 429, 20429, 30, 'The telephone carrier takes no more calls at the moment.'],
    ['at its limit of calls', 400, 10004, 30, 'The telephone carrier takes no more calls at the moment.'],
    [
      'refuses our caller number',
      400,
      21606,
      900,
      "The telephone carrier refuses this service's configuration.",
    ],
    [
      'refuses our credentials',
      401,
      20003,
      900,
      "The telephone carrier refuses this service's configuration. The carrier rejects our credentials.",
    ],
  ])(
    '%s: no call is left, no attempt is used up, and the task waits',
    async (_, status, code, seconds, reason) => {
      fixture.carrier.onPlacement((__, response) => respondJson(response, status, { code }));
      const task = await fixture.newTask();
      await fixture.handle({ kind: 'dial', task_id: task.id });
      expect(await fixture.calls(task)).toEqual([]);
      expect(await fixture.task(task)).toMatchObject({
        status: 'PENDING',
        attempts: 0,
        current_call_id: null,
        last_call_id: null,
        next_attempt_at: new Date(fixture.now.getTime() + seconds * 1000).toISOString(),
        next_attempt_reason: reason,
      });
      fixture.carrier.interfere = () => false;
      fixture.pass(seconds);
      expect(await fixture.isDue(task.id)).toBe(true);
      expect(await fixture.dial(task)).toMatchObject({ submission: 'submitted', attempt: 1 });
    },
  );
});

describe('a call that the carrier keeps refusing', () => {
  /** Dials the task `count` times, eight hours after another, and answers with the code. Returns the alarms. */
  async function refuse(task: Task, code: number, count: number): Promise<number> {
    fixture.carrier.onPlacement((_, response) => respondJson(response, 400, { code }));
    let alarms = 0;
    for (let index = 0; index < count; index += 1) {
      const written = await capturedLog(() => fixture.handle({ kind: 'dial', task_id: task.id }));
      if (written.includes('"carrier-refuses-our-configuration"')) alarms += 1;
      fixture.pass(8 * 3600);
    }
    return alarms;
  }

  test.each([
    [21216, 0, 'The carrier blocks the call, because of the number or a missing customer profile.'],
    [21215, 4, 'The account may not call this country.'],
    [13224, 0, 'The carrier cannot reach this number: it may not exist, or a network near it is down.'],
    [13225, 0, 'The carrier blocks calls to this number.'],
  ])(
    'because of its number or country (%i) fails after a day and says why',
    async (code, alarms, meaning) => {
      const task = await fixture.newTask();
      expect(await refuse(task, code, 6)).toBe(alarms);
      expect(fixture.placements(task)).toHaveLength(4);
      expect(await fixture.task(task)).toMatchObject({
        status: 'FAILED',
        task_outcome:
          `The telephone carrier refuses this call. ${meaning} ` +
          'It has done so for a day, so no further calls are made.',
        next_attempt_at: null,
        attempts: 0,
      });
    },
  );

  test.each([10001, 20005, 99999])('because of our account (%i) waits for the operator', async (code) => {
    const task = await fixture.newTask();
    expect(await refuse(task, code, 6)).toBe(6);
    expect(await fixture.task(task)).toMatchObject({ status: 'PENDING' });
  });

  test('counts from the first refusal with the same code since the last call', async () => {
    const task = await fixture.newTask();
    await refuse(task, 10001, 6);
    await refuse(task, 21216, 3);
    fixture.carrier.interfere = () => false;
    await fixture.progress(await fixture.dial(task), 'busy', 1);
    fixture.pass(300);
    await refuse(task, 21216, 3);
    expect(await fixture.task(task)).toMatchObject({ status: 'IN_PROGRESS', attempts: 1 });
  });
});

describe('a project without carrier credentials', () => {
  test('fails its tasks with a clear outcome and without a call', async () => {
    fixture.hasCredentials = false;
    const task = await fixture.newTask({}, { carrier: 'live' });
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(await fixture.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome: 'No call was made: this service has no access to the telephone carrier of the project.',
      last_call_id: null,
      next_attempt_at: null,
    });
  });
});
