import { describe, expect, test } from 'vitest';
import { defaultCallingHours } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
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
