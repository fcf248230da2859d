import { describe, expect, test } from 'vitest';
import { dialTask } from '#shared/calls/dial/dial-task.ts';
import { type CarrierName, defaultCallingHours } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import { getLine } from '#shared/table/line.ts';
import { getNumberCalls } from '#shared/table/number-calls.ts';
import { getProjectUsage } from '#shared/table/project-usage.ts';
import { callFixtureForThisFile } from '../../../support/call-fixture.ts';
import { respondJson } from '../../../support/http-server.ts';

const fixture = await callFixtureForThisFile();

const inSeconds = (seconds: number): string => new Date(fixture.now.getTime() + seconds * 1000).toISOString();

async function dialed(task: Task): Promise<Task> {
  await fixture.handle({ kind: 'dial', task_id: task.id });
  return fixture.task(task);
}

const tooLate = {
  status: 'FAILED',
  task_outcome: 'No call was made: it could not begin before the requested deadline.',
  next_attempt_at: null,
};

/** Dials the task after another call, at a carrier that takes one in a second. */
async function dialInPace(carrier: CarrierName, task: Task): Promise<void> {
  const usual = fixture.carrierLimits[carrier];
  fixture.carrierLimits[carrier] = { ...usual, callsPerSecond: 1 };
  await fixture.dial(await fixture.newTask({ phone_number: '+12125550120' }, { carrier }));
  const wait = async (ms: number): Promise<void> => fixture.pass(ms / 1000);
  await dialTask({ ...fixture.services, wait }, task.id);
  fixture.carrierLimits[carrier] = usual;
  fixture.pass(2);
}

test('a call that waits for the pace of its carrier until the hours end is not made, and leaves nothing', async () => {
  // In New York the hours end at 21:00.
  fixture.pass((Date.parse('2026-03-03T01:59:59.500Z') - fixture.now.getTime()) / 1000);
  const phone_number = '+12125550121';
  const project = { carrier: 'live', calling_hours: defaultCallingHours } as const;
  const task = await fixture.newTask({ phone_number }, project);
  await dialInPace('live', task);
  expect(fixture.placements(task)).toEqual([]);
  expect(await fixture.calls(task)).toEqual([]);
  expect(await fixture.task(task)).toMatchObject({
    status: 'PENDING',
    attempts: 0,
    current_call_id: null,
    last_call_id: null,
    next_attempt_at: '2026-03-03T13:00:00.000Z',
  });
  const { table } = fixture;
  expect(await getNumberCalls(table, { carrier: 'live', phone_number })).toMatchObject({ calls: 0 });
  expect(await getProjectUsage(table, task.project_id, '2026-03-02')).toMatchObject({ calls: 0 });
  expect((await getLine(table, { carrier: 'live', phone_number })).calls).toEqual(new Map());
  expect((await getCallCapacity(table, 'live')).slots[task.project_id] ?? 0).toBe(0);
});

test('a task with call_after is called from then on, not a moment earlier', async () => {
  const call_after = inSeconds(3);
  const early = await fixture.newTask({ call_after, next_attempt_at: call_after });
  expect((await dialed(early)).status).toBe('PENDING');
  fixture.pass(3);
  expect((await dialed(early)).status).toBe('IN_PROGRESS');
});

describe('a task with call_before', () => {
  test('is called until then', async () => {
    const task = await dialed(await fixture.newTask({ call_before: inSeconds(1) }));
    expect(task.status).toBe('IN_PROGRESS');
  });

  test('fails from then on without a call', async () => {
    const task = await fixture.newTask({ call_before: inSeconds(60) });
    fixture.pass(60);
    expect(await dialed(task)).toMatchObject(tooLate);
    expect(await fixture.calls(task)).toEqual([]);
  });

  test('fails at once if calling hours do not begin earlier', async () => {
    // 23:00 in New York; the hours begin at 08:00.
    fixture.pass((Date.parse('2026-03-03T04:00:00.000Z') - fixture.now.getTime()) / 1000);
    const hours = { calling_hours: defaultCallingHours };
    const inTime = { phone_number: '+12125550123', call_before: '2026-03-03T14:00:00.000Z' };
    expect(await dialed(await fixture.newTask(inTime, hours))).toMatchObject({
      status: 'PENDING',
      next_attempt_at: '2026-03-03T13:00:00.000Z',
    });
    const late = { phone_number: '+12125550124', call_before: '2026-03-03T13:00:00.000Z' };
    expect(await dialed(await fixture.newTask(late, hours))).toMatchObject(tooLate);
  });

  test('fails after a call if the next would be too late', async () => {
    const redial_policy = { max_attempts: 3, delays_seconds: [300], redialled_results: ['BUSY' as const] };
    const afterBusy = async (call_before: string): Promise<Task> => {
      const task = await fixture.newTask({ call_before }, { redial_policy });
      const call = await fixture.dial(task);
      await fixture.progress(call, 'busy', 1);
      await fixture.lookUntilCompleted(call);
      return fixture.task(task);
    };
    expect((await afterBusy(inSeconds(24 * 60 * 60))).next_attempt_at).toEqual(expect.any(String));
    expect(await afterBusy(inSeconds(200))).toMatchObject({
      status: 'FAILED',
      next_attempt_at: null,
      task_outcome: expect.stringContaining('before the requested deadline'),
    });
  });

  test('fails without a call if the time comes while the call waits for the pace of its carrier', async () => {
    fixture.pass(2);
    const task = await fixture.newTask({ call_before: inSeconds(0.3) });
    await dialInPace('sandbox', task);
    expect(fixture.placements(task)).toEqual([]);
    expect(await fixture.task(task)).toMatchObject(tooLate);
    expect(await fixture.calls(task)).toEqual([]);
  });

  test.each([
    [59, false],
    [60, true],
  ])('has a call that its carrier starts %i s later ended: %s', async (seconds, isEnded) => {
    const ended: string[] = [];
    fixture.carrier.interfere = (request, response) => {
      if (request.method !== 'POST') return false;
      if (!request.url.endsWith('/Calls.json')) ended.push(request.url);
      const sid = `CA${'0'.repeat(30)}${seconds}`;
      const queued = { sid, status: 'queued', date_created: null, start_time: null, duration: null };
      respondJson(response, 201, { ...queued, queue_time: String(seconds * 1000) });
      return true;
    };
    await dialed(await fixture.newTask({ call_before: inSeconds(60) }));
    expect(ended.length > 0).toBe(isEnded);
  });
});
