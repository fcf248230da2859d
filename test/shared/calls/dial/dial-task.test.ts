import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { dialTask } from '#shared/calls/dial/dial-task.ts';
import { abandonAfterSeconds, callDeadline } from '#shared/calls/lifecycle/deadlines.ts';
import type { Task } from '#shared/domain/task.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { CallFixture } from '../../../support/call-fixture.ts';
import { storeEntry } from '../../../support/directory-entries.ts';
import { respondJson, type SeenRequest } from '../../../support/http-server.ts';
import { sampleProject } from '../../../support/sample-tasks.ts';

let fixture: CallFixture;
beforeAll(async () => {
  fixture = await CallFixture.start();
});
afterAll(() => fixture.stop());
afterEach(() => {
  fixture.carrier.interfere = () => false;
  fixture.hasCredentials = true;
});

function placements(task: Task): SeenRequest[] {
  return fixture.carrier.requests.filter(
    ({ method, url, body }) => method === 'POST' && url.endsWith('/Calls.json') && body.includes(task.id),
  );
}

/** Breaks or answers the requests that would place a call. */
function onPlacement(act: (request: SeenRequest, response: ServerResponse) => void): void {
  fixture.carrier.interfere = (request, response) => {
    if (request.method !== 'POST' || !request.url.endsWith('/Calls.json')) return false;
    act(request, response);
    return true;
  };
}

describe('dialing', () => {
  test('hands the call to the carrier with callbacks that name it', async () => {
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    expect(call).toMatchObject({
      submission: 'submitted',
      carrier_call_sid: fixture.carrier.calls[0]?.sid,
      status: 'IN_PROGRESS',
    });
    const form = new URLSearchParams(placements(task)[0]?.body);
    expect(form.get('To')).toBe(task.phone_number);
    expect(form.get('From')).toBe('+12025550199');
    const base = 'https://api.example.test/carrier';
    expect(form.get('Url')).toBe(`${base}/answer/${task.id}/${call.id}#rc=3&rp=5xx,ct,rt`);
    expect(form.get('StatusCallback')).toBe(`${base}/status/${task.id}/${call.id}#rc=3&rp=5xx,ct,rt`);
    expect(form.get('TimeLimit')).toBe('4500');
    expect(call.max_talk_seconds).toBeNull();
    expect(await fixture.task(task)).toMatchObject({ status: 'IN_PROGRESS', current_call_id: call.id });
  });

  test('lets the carrier hang up when the directory says, and knows the deadline from it', async () => {
    const task = await fixture.newTask();
    await storeEntry(fixture.table, task.phone_number, { max_call_minutes: 90 });
    const call = await fixture.dial(task);
    expect(new URLSearchParams(placements(task)[0]?.body).get('TimeLimit')).toBe('5400');
    expect(callDeadline(call)).toBe(Date.parse(call.created_at) + (45 + 5400 + 300) * 1000);
  });

  test('rings once for one attempt, however often and at the same time it is asked for', async () => {
    const task = await fixture.newTask();
    const message = { kind: 'dial', task_id: task.id } as const;
    await Promise.allSettled(Array.from({ length: 20 }, () => fixture.handle(message)));
    await fixture.handle(message);
    expect(placements(task)).toHaveLength(1);
    expect(await fixture.calls(task)).toHaveLength(1);
  });

  test('waits for the time of the attempt', async () => {
    const task = await fixture.newTask({
      next_attempt_at: new Date(fixture.now.getTime() + 60_000).toISOString(),
    });
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(placements(task)).toHaveLength(0);
    fixture.pass(60);
    await fixture.dial(task);
    expect(placements(task)).toHaveLength(1);
  });

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'] as const)('leaves a %s task alone', async (status) => {
    const task = await fixture.newTask({ status });
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(placements(task)).toHaveLength(0);
    expect(await fixture.task(task)).toEqual(task);
  });

  test('ignores a task that is not there', async () => {
    await fixture.handle({ kind: 'dial', task_id: '01890a5d-ac96-774b-bcce-b302099a8057' });
  });
});

describe('a number that the carrier refuses', () => {
  test('ends call and task at once with a clear outcome', async () => {
    onPlacement((_, response) => respondJson(response, 400, { code: 21211 }));
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    expect(call).toMatchObject({
      status: 'FAILED',
      call_outcome: 'The telephone carrier refused the number as one that cannot be called.',
      closed_by: 'carrier',
      carrier_error_code: '21211',
      recording: { status: 'none' },
      due_at: null,
    });
    expect(call.completed_at).not.toBeNull();
    expect(await fixture.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome:
        'The telephone carrier refused the number as one that cannot be called. No further calls are made.',
      current_call_id: null,
      last_call_id: call.id,
      next_attempt_at: null,
    });
  });
});

describe('a carrier that takes no call just now', () => {
  test.each([
    ['throttled', 429, 20429, 30, 'The telephone carrier takes no more calls at the moment.'],
    [
      'refuses our caller number',
      400,
      21606,
      900,
      'The telephone carrier refuses calls as this service is configured.',
    ],
    [
      'refuses our credentials',
      401,
      20003,
      900,
      'The telephone carrier refuses calls as this service is configured. The carrier rejects our credentials.',
    ],
  ])(
    '%s: no call is left, no attempt is used up, and the task waits',
    async (_, status, code, seconds, reason) => {
      onPlacement((__, response) => respondJson(response, status, { code }));
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

describe('a project whose carrier the service has no credentials for', () => {
  test('has its tasks failed with a clear outcome and no call', async () => {
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

describe('an answer of the carrier that is lost', () => {
  test.each([
    ['the connection breaks', (response: ServerResponse) => void response.destroy()],
    ['the carrier reports a fault of its own', (response: ServerResponse) => respondJson(response, 500, {})],
  ])('%s: the call is found in the carrier’s list and adopted, never dialed again', async (_, lose) => {
    onPlacement((request, response) => {
      fixture.carrier.acceptCall(request);
      lose(response);
    });
    const task = await fixture.newTask({ phone_number: `+1202555${1000 + placementsSoFar()}` });
    const call = await fixture.dial(task);
    expect(call).toMatchObject({ submission: 'unknown', carrier_call_sid: null, status: 'IN_PROGRESS' });
    expect(fixture.queued()).toContainEqual({
      body: { kind: 'call-due', task_id: task.id, call_id: call.id },
      isDelayed: true,
    });
    await fixture.handle({ kind: 'dial', task_id: task.id });
    const atCarrier = fixture.carrier.calls[0];
    if (atCarrier === undefined) throw new Error('the carrier took no call');
    atCarrier.status = 'in-progress';
    fixture.pass(15);
    await fixture.look(call);
    expect(await fixture.call(call)).toMatchObject({
      submission: 'adopted',
      carrier_call_sid: atCarrier.sid,
      carrier_progress: 'answered',
    });
    expect(placements(task)).toHaveLength(1);
  });

  test('on a shared line no call of another task is taken for it, and none while another is unknown, too', async () => {
    const phone_number = `+1202555${1000 + placementsSoFar()}`;
    await storeEntry(fixture.table, phone_number, { concurrent_calls: 3 });
    const project = sampleProject({ max_concurrent_calls: 5 });
    await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
    const dial = async () => fixture.dial(await fixture.newTaskOf(project, { phone_number }));
    const known = await dial();
    expect(known.carrier_call_sid).not.toBeNull();
    // The answers to both are lost, and only the second one was placed.
    onPlacement((_, response) => response.destroy());
    const lost = await dial();
    fixture.pass(15);
    await fixture.look(lost);
    expect(await fixture.call(lost)).toMatchObject({ submission: 'unknown', carrier_call_sid: null });
    onPlacement((request, response) => {
      fixture.carrier.acceptCall(request);
      response.destroy();
    });
    const placed = await dial();
    fixture.carrier.interfere = () => false;
    const sid = fixture.carrier.calls[0]?.sid ?? '';
    fixture.pass(30);
    for (const call of [lost, placed]) {
      await fixture.look(call);
      expect(await fixture.call(call)).toMatchObject({ submission: 'unknown', carrier_call_sid: null });
    }
    await fixture.progress({ ...placed, carrier_call_sid: sid }, 'ringing', 1);
    expect(await fixture.call(placed)).toMatchObject({ submission: 'adopted', carrier_call_sid: sid });
    fixture.pass(abandonAfterSeconds);
    await fixture.look(lost);
    expect(await fixture.call(lost)).toMatchObject({ submission: 'abandoned', carrier_call_sid: null });
  });

  test('on a shared line it is adopted although a later call is unknown, too', async () => {
    const phone_number = `+1202555${1000 + placementsSoFar()}`;
    await storeEntry(fixture.table, phone_number, { concurrent_calls: 3 });
    const project = sampleProject({ max_concurrent_calls: 5 });
    await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
    onPlacement((request, response) => {
      fixture.carrier.acceptCall(request);
      response.destroy();
    });
    const placed = await fixture.dial(await fixture.newTaskOf(project, { phone_number }));
    const sid = fixture.carrier.calls[0]?.sid ?? '';
    fixture.pass(180);
    onPlacement((_, response) => response.destroy());
    const later = await fixture.dial(await fixture.newTaskOf(project, { phone_number }));
    fixture.carrier.interfere = () => false;
    await fixture.look(placed);
    expect(await fixture.call(placed)).toMatchObject({ submission: 'adopted', carrier_call_sid: sid });
    expect(await fixture.call(later)).toMatchObject({ submission: 'unknown', carrier_call_sid: null });
  });

  test('a callback that names the call proves it as well', async () => {
    onPlacement((_, response) => response.destroy());
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    const sid = `CA${'0'.repeat(31)}d`;
    await fixture.progress({ ...call, carrier_call_sid: sid }, 'ringing', 1);
    expect(await fixture.call(call)).toMatchObject({
      submission: 'adopted',
      carrier_call_sid: sid,
      carrier_progress: 'ringing',
    });
  });

  test('a call that the list does not show is given up after a while, and only then tried again', async () => {
    onPlacement((_, response) => response.destroy());
    const task = await fixture.newTask({ phone_number: '+12025559001' });
    const call = await fixture.dial(task);
    fixture.carrier.interfere = () => false;
    const seconds = await fixture.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(300);
    expect(seconds).toBeLessThan(600);
    expect(await fixture.call(call)).toMatchObject({
      status: 'FAILED',
      submission: 'abandoned',
      closed_by: 'sweeper',
      call_outcome: 'The call was not placed: the telephone carrier knows nothing of it.',
    });
    expect(placements(task)).toHaveLength(1);
    expect(await fixture.task(task)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_reason:
        'The call was not placed: the telephone carrier knows nothing of it. Attempt 1 of 3 scheduled.',
    });
  });

  test('as long as the carrier cannot be asked nothing is decided', async () => {
    onPlacement((_, response) => response.destroy());
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    fixture.carrier.interfere = (_, response) => {
      response.destroy();
      return true;
    };
    fixture.pass(1800);
    await fixture.look(call);
    expect(await fixture.call(call)).toMatchObject({ submission: 'unknown', status: 'IN_PROGRESS' });
    const seconds = await fixture.lookUntilCompleted(call);
    expect(seconds).toBeLessThan(2 * 60 * 60);
    expect(await fixture.call(call)).toMatchObject({ submission: 'abandoned', status: 'FAILED' });
  });

  test('of several calls that it could be none is taken', async () => {
    onPlacement((request, response) => {
      fixture.carrier.acceptCall(request);
      fixture.carrier.acceptCall(request);
      response.destroy();
    });
    const task = await fixture.newTask({ phone_number: '+12025559002' });
    const call = await fixture.dial(task);
    fixture.pass(20);
    await fixture.look(call);
    expect(await fixture.call(call)).toMatchObject({ submission: 'unknown', carrier_call_sid: null });
  });

  test.each(['taken', 'not taken'] as const)(
    'a call %s is not mistaken for one of another task that ended at the same number just before',
    async (fate) => {
      const phone_number = fate === 'taken' ? '+12025559004' : '+12025559005';
      const before = await fixture.dial(await fixture.newTask({ phone_number }));
      const atCarrier = fixture.carrier.calls.find(({ sid }) => sid === before.carrier_call_sid);
      if (atCarrier === undefined) throw new Error('the carrier has no such call');
      atCarrier.status = 'busy';
      await fixture.progress(before, 'busy', 1);
      fixture.pass(5);
      let taken: string | null = null;
      onPlacement((request, response) => {
        if (fate === 'taken') taken = fixture.carrier.acceptCall(request).sid;
        response.destroy();
      });
      const call = await fixture.dial(await fixture.newTask({ phone_number }));
      fixture.pass(20);
      await fixture.look(call);
      expect(await fixture.call(call)).toMatchObject({ carrier_call_sid: taken, ended_at: null });
    },
  );

  test('a runner that dies between claim and carrier leaves a call that is looked for', async () => {
    const task = await fixture.newTask({ phone_number: '+12025559003' });
    const { services } = fixture;
    const dying = {
      ...services,
      carrier: async () => {
        const client = await services.carrier('sandbox');
        if (client === null) throw new Error('no carrier');
        return { ...client, placeCall: () => Promise.reject(new Error('the function is gone')) };
      },
    };
    await expect(dialTask(dying, task.id)).rejects.toThrow('the function is gone');
    const call = await fixture.newestCall(task);
    expect(call.submission).toBe('claimed');
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(placements(task)).toHaveLength(0);
    await fixture.lookUntilCompleted(call);
    expect(await fixture.call(call)).toMatchObject({ submission: 'abandoned', status: 'FAILED' });
  });
});

/** Makes a number of its own for each case, because calls are told apart by their numbers. */
function placementsSoFar(): number {
  return fixture.carrier.requests.length;
}
