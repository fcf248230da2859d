import { describe, expect, test } from 'vitest';
import type { LiveGrant } from '#shared/domain/live-grant.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { getNumberCalls } from '#shared/table/number-calls.ts';
import { putProject } from '#shared/table/project.ts';
import { getProjectUsage } from '#shared/table/project-usage.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { callFixtureForThisFile } from '../../../support/call-fixture.ts';
import { respondJson } from '../../../support/http-server.ts';
import { sampleGrant, sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

const fixture = await callFixtureForThisFile();

let numbers = 0;
function newNumber(): string {
  numbers += 1;
  return `+12025551${String(numbers).padStart(3, '0')}`;
}

async function liveProject(grant: Partial<LiveGrant> = {}, changes: Partial<Project> = {}): Promise<Project> {
  const project = sampleProject({
    carrier: 'live',
    live_grant: { ...sampleGrant, ...grant },
    max_concurrent_calls: 100,
    ...changes,
  });
  await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
  return project;
}

async function taskOf(project: Project, phoneNumber: string, changes: Partial<Task> = {}): Promise<Task> {
  const task = sampleTask(project, {
    phone_number: phoneNumber,
    created_at: fixture.now.toISOString(),
    next_attempt_at: fixture.now.toISOString(),
    ...changes,
  });
  await writeTransaction(fixture.table, [createTaskItem(fixture.table, task)]);
  return task;
}

/** Dials, and returns `dialed`, or the task's status and the reason. */
async function dial(task: Task): Promise<string> {
  await fixture.handle({ kind: 'dial', task_id: task.id });
  const { status, current_call_id, next_attempt_reason, task_outcome } = await fixture.task(task);
  return current_call_id === null ? `${status}: ${next_attempt_reason ?? task_outcome}` : 'dialed';
}

/** The call is answered and ends after this many seconds of talk. */
async function endCall(task: Task, talkSeconds: number): Promise<void> {
  const call = await fixture.newestCall(task);
  await fixture.progress(call, 'answered', 2);
  fixture.pass(talkSeconds);
  await fixture.progress(call, 'completed', 3, { talk_seconds: talkSeconds });
}

const counted = (phoneNumber: string) =>
  getNumberCalls(fixture.table, { carrier: 'live', phone_number: phoneNumber });

describe('34: no live call is dialed', () => {
  test.each([
    [
      'without a grant',
      { live_grant: null },
      'PENDING: The project may not make real calls until an operator',
    ],
    [
      'after the grant was withdrawn',
      { live_grant: { ...sampleGrant, withdrawn_at: '2026-03-01T00:00:00.000Z' } },
      'PENDING: The project may no longer make real calls',
    ],
    [
      'to a country that is not granted',
      { live_grant: { ...sampleGrant, countries: ['CA'] } },
      'FAILED: No call was made: the number must be a number of a country that the project may call (CA).',
    ],
    [
      "to the project's own number",
      { call_policy: { voicemail: 'leave-message', callback_number: '+12025551999', max_hold_seconds: 60 } },
      "FAILED: No call was made: the number must not be one of the project's own numbers.",
    ],
    [
      'for a task of the sandbox that the project has left',
      { live_grant: { ...sampleGrant, since: '2026-12-31T00:00:00.000Z' } },
      'FAILED: No call was made: the task was created before its project went live',
    ],
  ] as const)('%s', async (_, changes, outcome) => {
    const project = await liveProject({}, structuredClone(changes) as Partial<Project>);
    const requests = fixture.carrier.requests.length;
    expect(await dial(await taskOf(project, '+12025551999'))).toContain(outcome);
    expect(fixture.carrier.requests).toHaveLength(requests);
  });

  test('but the sandbox dials even a project without countries', async () => {
    const project = sampleProject({ allowed_countries: ['CA'] });
    await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
    expect(await dial(await taskOf(project, newNumber()))).toMatch(/^FAILED: .*\(CA\)\.$/);
  });

  test.each([
    ['before eight', '2026-03-03T12:59:00.000Z', '2026-03-03T13:00:00.000Z'],
    ['from nine in the evening on', '2026-03-04T02:00:00.000Z', '2026-03-04T13:00:00.000Z'],
  ])("%s at the called place, whatever the project's hours", async (_, at, opensAt) => {
    fixture.pass((Date.parse(at) - fixture.now.getTime()) / 1000);
    const task = await taskOf(await liveProject(), newNumber());
    expect(await dial(task)).toMatch(/^PENDING: Outside the calling hours .*08:00-21:00/);
    expect((await fixture.task(task)).next_attempt_at).toBe(opensAt);
  });

  test('to a shared line outside its own clock if the operator says so, and then everywhere', async () => {
    // 09:30 in New York, when it is night in Hawaii.
    fixture.pass((Date.parse('2026-03-04T14:30:00.000Z') - fixture.now.getTime()) / 1000);
    const usual = await liveProject({ time_zone: 'America/New_York', shared_lines: 'called-zones' });
    expect(await dial(await taskOf(usual, '+18005550101'))).toMatch(/^PENDING: Outside the calling hours/);
    const own = await liveProject({ time_zone: 'America/New_York', shared_lines: 'own-clock' });
    expect(await dial(await taskOf(own, '+18005550102'))).toBe('dialed');
    expect(await dial(await taskOf(own, '+18085550102'))).toMatch(/Pacific\/Honolulu/);
  });

  test('beyond the concurrent calls that the operator grants, whatever the owner sets', async () => {
    const project = await liveProject({ max_concurrent_calls: 1 });
    expect(await dial(await taskOf(project, newNumber()))).toBe('dialed');
    expect(await dial(await taskOf(project, newNumber()))).toBe(
      'PENDING: The project has reached its limit of one concurrent call.',
    );
  });
});

describe('34: a number is not called too often', () => {
  test('by all projects together: ten minutes apart, six times a day', async () => {
    fixture.pass((Date.parse('2026-03-05T15:00:00.000Z') - fixture.now.getTime()) / 1000);
    const number = newNumber();
    for (let call = 1; call <= 6; call += 1) {
      const task = await taskOf(await liveProject(), number);
      expect(await dial(task), `call ${call}`).toBe('dialed');
      await endCall(task, 60);
      fixture.pass(599);
      const soon = await taskOf(await liveProject(), number);
      const reason = call < 6 ? '10 minutes must pass between two calls' : 'at most 6 times a day';
      expect(await dial(soon)).toContain(reason);
      expect(Date.parse((await fixture.task(soon)).next_attempt_at ?? '')).toBe(
        call < 6 ? fixture.now.getTime() + 1000 : Date.parse('2026-03-06T13:00:00.000Z'),
      );
      fixture.pass(1);
    }
    fixture.pass((Date.parse('2026-03-06T13:00:00.000Z') - fixture.now.getTime()) / 1000);
    expect(await dial(await taskOf(await liveProject(), number))).toBe('dialed');
    expect(await counted(number)).toMatchObject({ day: '2026-03-06', calls: 1 });
  });

  test('even if twelve tasks of twelve projects are due together', async () => {
    const number = newNumber();
    const tasks = await Promise.all(
      Array.from({ length: 12 }, async () => taskOf(await liveProject(), number)),
    );
    await Promise.all(tasks.map((task) => fixture.handle({ kind: 'dial', task_id: task.id })));
    const calls = await Promise.all(tasks.map((task) => fixture.calls(task)));
    expect(calls.flat()).toHaveLength(1);
    expect(await counted(number)).toMatchObject({ calls: 1 });
  });

  test('but without limit in the sandbox, which rings no real phone', async () => {
    const number = newNumber();
    for (let call = 1; call <= 8; call += 1) {
      const task = await fixture.newTask({ phone_number: number });
      expect(await dial(task), `call ${call}`).toBe('dialed');
      await endCall(task, 1);
    }
  });

  test('and a shared line up to its own limit', async () => {
    fixture.pass((Date.parse('2026-03-06T20:00:00.000Z') - fixture.now.getTime()) / 1000);
    const number = '+18335550101';
    for (let call = 1; call <= 8; call += 1) {
      const task = await taskOf(await liveProject(), number);
      expect(await dial(task), `call ${call}`).toBe('dialed');
      await endCall(task, 1);
    }
  });

  test('a call that the carrier refused is not counted', async () => {
    const number = newNumber();
    const project = await liveProject({ calls_per_day: 1 });
    const task = await taskOf(project, number);
    fixture.carrier.interfere = (_, response) => {
      respondJson(response, 429, { code: 20429 });
      return true;
    };
    expect(await dial(task)).toContain('takes no more calls');
    fixture.carrier.interfere = () => false;
    expect(await counted(number)).toMatchObject({ calls: 0 });
    fixture.pass(30);
    expect(await dial(task)).toBe('dialed');
  });

  test('the count names no project, task or patient', async () => {
    const number = newNumber();
    const task = await taskOf(await liveProject(), number);
    expect(await dial(task)).toBe('dialed');
    expect(Object.keys(await counted(number)).sort()).toEqual([
      'calls',
      'day',
      'last_call_at',
      'previous_call_at',
    ]);
  });
});

describe('34: a project stays within its daily grant', () => {
  test('of calls, however many are due together', async () => {
    const project = await liveProject({ calls_per_day: 3 });
    const tasks = await Promise.all(Array.from({ length: 10 }, () => taskOf(project, newNumber())));
    const outcomes = await Promise.all(tasks.map(dial));
    expect(outcomes.filter((outcome) => outcome === 'dialed')).toHaveLength(3);
    for (const outcome of outcomes.filter((one) => one !== 'dialed')) {
      expect(outcome).toBe('PENDING: The project has used its limit of 3 calls a day.');
    }
    expect(await getProjectUsage(fixture.table, project.id, '2026-03-06')).toEqual({
      calls: 3,
      talk_seconds: 0,
    });
  });

  test('of minutes, and resumes the next day', async () => {
    const project = await liveProject({ minutes_per_day: 2, time_zone: 'America/New_York' });
    const first = await taskOf(project, newNumber());
    expect(await dial(first)).toBe('dialed');
    await endCall(first, 150);
    const second = await taskOf(project, newNumber());
    expect(await dial(second)).toBe('PENDING: The project has used its limit of 2 minutes of talk a day.');
    expect((await fixture.task(second)).next_attempt_at).toBe('2026-03-07T13:00:00.000Z');
    fixture.pass((Date.parse('2026-03-07T13:00:00.000Z') - fixture.now.getTime()) / 1000);
    expect(await dial(second)).toBe('dialed');
  });
});
