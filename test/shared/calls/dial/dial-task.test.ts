import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { dialTask } from '#shared/calls/dial/dial-task.ts';
import type { Task } from '#shared/domain/task.ts';
import { CallWorld } from '../../../support/call-world.ts';
import { answerJson, type SeenRequest } from '../../../support/http-server.ts';

let world: CallWorld;
beforeAll(async () => {
  world = await CallWorld.start();
});
afterAll(() => world.stop());
afterEach(() => {
  world.carrier.interfere = () => false;
  world.hasCredentials = true;
});

function placements(task: Task): SeenRequest[] {
  return world.carrier.requests.filter(
    ({ method, url, body }) => method === 'POST' && url.endsWith('/Calls.json') && body.includes(task.id),
  );
}

/** Breaks or answers the requests that would place a call. */
function onPlacement(act: (request: SeenRequest, response: ServerResponse) => void): void {
  world.carrier.interfere = (request, response) => {
    if (request.method !== 'POST' || !request.url.endsWith('/Calls.json')) return false;
    act(request, response);
    return true;
  };
}

describe('dialling', () => {
  test('hands the call to the carrier with callbacks that name it', async () => {
    const task = await world.newTask();
    const call = await world.dial(task);
    expect(call).toMatchObject({
      submission: 'submitted',
      carrier_call_sid: world.carrier.calls[0]?.sid,
      status: 'IN_PROGRESS',
    });
    const form = new URLSearchParams(placements(task)[0]?.body);
    expect(form.get('To')).toBe(task.phone_number);
    expect(form.get('From')).toBe('+12025550199');
    const base = 'https://api.example.test/carrier';
    expect(form.get('Url')).toBe(`${base}/answer/${task.id}/${call.id}#rc=3&rp=5xx,ct,rt`);
    expect(form.get('StatusCallback')).toBe(`${base}/status/${task.id}/${call.id}#rc=3&rp=5xx,ct,rt`);
    expect(await world.task(task)).toMatchObject({ status: 'IN_PROGRESS', current_call_id: call.id });
  });

  test('rings once for one attempt, however often and at the same time it is asked for', async () => {
    const task = await world.newTask();
    const message = { kind: 'dial', task_id: task.id } as const;
    await Promise.allSettled(Array.from({ length: 20 }, () => world.handle(message)));
    await world.handle(message);
    expect(placements(task)).toHaveLength(1);
    expect(await world.calls(task)).toHaveLength(1);
  });

  test('waits for the time of the attempt', async () => {
    const task = await world.newTask({
      next_attempt_at: new Date(world.now.getTime() + 60_000).toISOString(),
    });
    await world.handle({ kind: 'dial', task_id: task.id });
    expect(placements(task)).toHaveLength(0);
    world.pass(60);
    await world.dial(task);
    expect(placements(task)).toHaveLength(1);
  });

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'] as const)('leaves a %s task alone', async (status) => {
    const task = await world.newTask({ status });
    await world.handle({ kind: 'dial', task_id: task.id });
    expect(placements(task)).toHaveLength(0);
    expect(await world.task(task)).toEqual(task);
  });

  test('ignores a task that is not there', async () => {
    await world.handle({ kind: 'dial', task_id: '01890a5d-ac96-774b-bcce-b302099a8057' });
  });
});

describe('a number that the carrier refuses', () => {
  test('ends call and task at once with a clear outcome', async () => {
    onPlacement((_, response) => answerJson(response, 400, { code: 21211 }));
    const task = await world.newTask();
    const call = await world.dial(task);
    expect(call).toMatchObject({
      status: 'FAILED',
      call_outcome: 'The telephone carrier refused the number as one that cannot be called.',
      closed_by: 'carrier',
      recording: { status: 'none' },
      due_at: null,
    });
    expect(call.completed_at).not.toBeNull();
    expect(await world.task(task)).toMatchObject({
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
      'The telephone carrier refuses calls as this service is configured.',
    ],
  ])(
    '%s: no call is left, no attempt is used up, and the task waits',
    async (_, status, code, seconds, reason) => {
      onPlacement((__, response) => answerJson(response, status, { code }));
      const task = await world.newTask();
      await world.handle({ kind: 'dial', task_id: task.id });
      expect(await world.calls(task)).toEqual([]);
      expect(await world.task(task)).toMatchObject({
        status: 'PENDING',
        attempts: 0,
        current_call_id: null,
        last_call_id: null,
        next_attempt_at: new Date(world.now.getTime() + seconds * 1000).toISOString(),
        next_attempt_reason: reason,
      });
      world.carrier.interfere = () => false;
      world.pass(seconds);
      expect(await world.isDue(task.id)).toBe(true);
      expect(await world.dial(task)).toMatchObject({ submission: 'submitted', attempt: 1 });
    },
  );
});

describe('a project whose carrier the service has no credentials for', () => {
  test('has its tasks failed with a clear outcome and no call', async () => {
    world.hasCredentials = false;
    const task = await world.newTask({}, { carrier: 'live' });
    await world.handle({ kind: 'dial', task_id: task.id });
    expect(await world.task(task)).toMatchObject({
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
    ['the carrier reports a fault of its own', (response: ServerResponse) => answerJson(response, 500, {})],
  ])('%s: the call is found in the carrier’s list and adopted, never dialled again', async (_, lose) => {
    onPlacement((request, response) => {
      world.carrier.acceptCall(request);
      lose(response);
    });
    const task = await world.newTask({ phone_number: `+1202555${1000 + placementsSoFar()}` });
    const call = await world.dial(task);
    expect(call).toMatchObject({ submission: 'unknown', carrier_call_sid: null, status: 'IN_PROGRESS' });
    expect(world.queued()).toContainEqual({
      body: { kind: 'call-due', task_id: task.id, call_id: call.id },
      isDelayed: true,
    });
    await world.handle({ kind: 'dial', task_id: task.id });
    const atCarrier = world.carrier.calls[0];
    if (atCarrier === undefined) throw new Error('the carrier took no call');
    atCarrier.status = 'in-progress';
    world.pass(15);
    await world.look(call);
    expect(await world.call(call)).toMatchObject({
      submission: 'adopted',
      carrier_call_sid: atCarrier.sid,
      carrier_progress: 'answered',
    });
    expect(placements(task)).toHaveLength(1);
  });

  test('a callback that names the call proves it as well', async () => {
    onPlacement((_, response) => response.destroy());
    const task = await world.newTask();
    const call = await world.dial(task);
    const sid = `CA${'0'.repeat(31)}d`;
    await world.progress({ ...call, carrier_call_sid: sid }, 'ringing', 1);
    expect(await world.call(call)).toMatchObject({
      submission: 'adopted',
      carrier_call_sid: sid,
      carrier_progress: 'ringing',
    });
  });

  test('a call that the list does not show is given up after a while, and only then tried again', async () => {
    onPlacement((_, response) => response.destroy());
    const task = await world.newTask({ phone_number: '+12025559001' });
    const call = await world.dial(task);
    world.carrier.interfere = () => false;
    const seconds = await world.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(300);
    expect(seconds).toBeLessThan(600);
    expect(await world.call(call)).toMatchObject({
      status: 'FAILED',
      submission: 'abandoned',
      closed_by: 'sweeper',
      call_outcome: 'The call was not placed: the telephone carrier knows nothing of it.',
    });
    expect(placements(task)).toHaveLength(1);
    expect(await world.task(task)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_reason:
        'The call was not placed: the telephone carrier knows nothing of it. Attempt 1 of 3 scheduled.',
    });
  });

  test('as long as the carrier cannot be asked nothing is decided', async () => {
    onPlacement((_, response) => response.destroy());
    const task = await world.newTask();
    const call = await world.dial(task);
    world.carrier.interfere = (_, response) => {
      response.destroy();
      return true;
    };
    world.pass(1800);
    await world.look(call);
    expect(await world.call(call)).toMatchObject({ submission: 'unknown', status: 'IN_PROGRESS' });
    const seconds = await world.lookUntilCompleted(call);
    expect(seconds).toBeLessThan(2 * 60 * 60);
    expect(await world.call(call)).toMatchObject({ submission: 'abandoned', status: 'FAILED' });
  });

  test('of several calls that it could be none is taken', async () => {
    onPlacement((request, response) => {
      world.carrier.acceptCall(request);
      world.carrier.acceptCall(request);
      response.destroy();
    });
    const task = await world.newTask({ phone_number: '+12025559002' });
    const call = await world.dial(task);
    world.pass(20);
    await world.look(call);
    expect(await world.call(call)).toMatchObject({ submission: 'unknown', carrier_call_sid: null });
  });

  test.each(['taken', 'not taken'] as const)(
    'a call %s is not mistaken for one of another task that ended at the same number just before',
    async (fate) => {
      const phone_number = fate === 'taken' ? '+12025559004' : '+12025559005';
      const before = await world.dial(await world.newTask({ phone_number }));
      const atCarrier = world.carrier.calls.find(({ sid }) => sid === before.carrier_call_sid);
      if (atCarrier === undefined) throw new Error('the carrier has no such call');
      atCarrier.status = 'busy';
      await world.progress(before, 'busy', 1);
      world.pass(5);
      let taken: string | null = null;
      onPlacement((request, response) => {
        if (fate === 'taken') taken = world.carrier.acceptCall(request).sid;
        response.destroy();
      });
      const call = await world.dial(await world.newTask({ phone_number }));
      world.pass(20);
      await world.look(call);
      expect(await world.call(call)).toMatchObject({ carrier_call_sid: taken, ended_at: null });
    },
  );

  test('a runner that dies between claim and carrier leaves a call that is looked for', async () => {
    const task = await world.newTask({ phone_number: '+12025559003' });
    const { services } = world;
    const dying = {
      ...services,
      carrier: async () => {
        const client = await services.carrier('sandbox');
        if (client === null) throw new Error('no carrier');
        return { ...client, placeCall: () => Promise.reject(new Error('the function is gone')) };
      },
    };
    await expect(dialTask(dying, task.id)).rejects.toThrow('the function is gone');
    const call = await world.newestCall(task);
    expect(call.submission).toBe('claimed');
    await world.handle({ kind: 'dial', task_id: task.id });
    expect(placements(task)).toHaveLength(0);
    await world.lookUntilCompleted(call);
    expect(await world.call(call)).toMatchObject({ submission: 'abandoned', status: 'FAILED' });
  });
});

/** Makes a number of its own for each case, because calls are told apart by their numbers. */
function placementsSoFar(): number {
  return world.carrier.requests.length;
}
