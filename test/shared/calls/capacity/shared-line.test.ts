import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallMessage } from '#shared/calls/call-message.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { getLine } from '#shared/table/line.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { CallFixture } from '../../../support/call-fixture.ts';
import { storeEntry } from '../../../support/directory-entries.ts';
import { sampleProject } from '../../../support/sample-tasks.ts';

const number = '+12025550101';
const once = { max_attempts: 1, delays_seconds: [], redialled_results: [] };

let fixture: CallFixture;
beforeEach(async () => {
  later = [];
  fixture = await CallFixture.start();
});
afterEach(() => fixture.stop());

async function newProject(changes: Partial<Project> = {}): Promise<Project> {
  const project = sampleProject({ redial_policy: once, max_concurrent_calls: 50, ...changes });
  await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
  return project;
}

/** Tasks to the line, in order, each of which has requested its call. */
async function dialed(project: Project, count: number, phone_number = number): Promise<Task[]> {
  const tasks: Task[] = [];
  for (let made = 0; made < count; made += 1) {
    const task = await fixture.newTaskOf(project, { phone_number });
    await fixture.handle({ kind: 'dial', task_id: task.id });
    fixture.pass(1);
    tasks.push(task);
  }
  return tasks;
}

/** How many of these tasks are being called. */
async function underWay(tasks: readonly Task[]): Promise<boolean[]> {
  const found = await Promise.all(tasks.map((task) => fixture.task(task)));
  return found.map(({ current_call_id, status }) => status === 'IN_PROGRESS' && current_call_id !== null);
}

/** Ends the oldest call of these tasks and lets the next one be called. */
async function endOne(tasks: readonly Task[]): Promise<void> {
  const open = (await Promise.all(tasks.map((task) => fixture.calls(task)))).flat();
  const [call] = open.filter(({ ended_at }) => ended_at === null);
  if (call === undefined) throw new Error('no call is open');
  const atCarrier = fixture.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
  if (atCarrier !== undefined) atCarrier.status = 'no-answer';
  await fixture.progress(call, 'no_answer', 2);
  for (let seconds = 0; seconds < 4; seconds += 1) {
    await workOff();
    fixture.pass(1);
  }
}

/** Messages that arrive once the clock has moved. */
let later: CallMessage[] = [];

async function workOff(): Promise<void> {
  let ready = later;
  later = [];
  do {
    await Promise.all(ready.map((message) => fixture.handle(message)));
    const taken = await fixture.takeQueued();
    ready = taken.flatMap(({ message, isDelayed }) => (isDelayed ? [] : [message]));
    later.push(...taken.flatMap(({ message, isDelayed }) => (isDelayed ? [message] : [])));
  } while (ready.length > 0);
}

describe('a line in the directory', () => {
  test('takes as many concurrent calls as its entry allows, and the next task waits and says why', async () => {
    await storeEntry(fixture.table, number, { concurrent_calls: 3 });
    const tasks = await dialed(await newProject(), 4);
    expect(await underWay(tasks)).toEqual([true, true, true, false]);
    const [, , , last] = tasks;
    if (last === undefined) throw new Error('no task');
    expect(await fixture.task(last)).toMatchObject({
      next_attempt_reason: 'Example Health takes 3 calls at a time, all in progress.',
      waiting_for_line_since: expect.any(String),
    });
    await endOne(tasks);
    expect(await underWay(tasks)).toEqual([false, true, true, true]);
  });

  test('takes one task at a time if unknown, and ten if toll-free', async () => {
    // It is daytime in all zones of the country.
    fixture.pass((Date.parse('2026-03-04T20:00:00.000Z') - fixture.now.getTime()) / 1000);
    const project = await newProject();
    expect(await underWay(await dialed(project, 2, '+12025550102'))).toEqual([true, false]);
    const tollFree = await underWay(await dialed(project, 11, '+18005550103'));
    expect(tollFree.filter((isCalled) => isCalled)).toHaveLength(10);
  });

  test('of a range applies to each of its numbers', async () => {
    await storeEntry(fixture.table, '+12025550120', {
      last_phone_number: '+12025550129',
      concurrent_calls: 2,
    });
    const project = await newProject();
    expect(await underWay(await dialed(project, 3, '+12025550125'))).toEqual([true, true, false]);
    expect(await underWay(await dialed(project, 2, '+12025550129'))).toEqual([true, true]);
    expect(await underWay(await dialed(project, 2, '+12025550130'))).toEqual([true, false]);
  });

  test('keeps a project to its own limit, and leaves the rest to others', async () => {
    await storeEntry(fixture.table, number, { concurrent_calls: 3 });
    const modest = await newProject();
    await storeEntry(fixture.table, number, { project_id: modest.id, name: 'Ours', concurrent_calls: 1 });
    const own = await dialed(modest, 2);
    expect(await underWay(own)).toEqual([true, false]);
    const [, waiting] = own;
    if (waiting === undefined) throw new Error('no task');
    expect((await fixture.task(waiting)).next_attempt_reason).toBe(
      'The project has reached its limit of one call at a time to Ours.',
    );
    expect(await underWay(await dialed(await newProject(), 3))).toEqual([true, true, false]);
  });

  test('rotates among the waiting projects, oldest task of each first', async () => {
    await storeEntry(fixture.table, number, { concurrent_calls: 2 });
    const many = await dialed(await newProject(), 6);
    const few = await dialed(await newProject(), 2);
    expect(await underWay(many)).toEqual([true, true, false, false, false, false]);
    // The project with fewer calls goes first.
    await endOne(many);
    expect(await underWay(few)).toEqual([true, false]);
    await endOne(many);
    expect([await underWay(many), await underWay(few)]).toEqual([
      [false, false, true, false, false, false],
      [true, false],
    ]);
    await endOne(few);
    expect(await underWay(few)).toEqual([false, true]);
    const { calls } = await getLine(fixture.table, { carrier: 'sandbox', phone_number: number });
    expect(calls.size).toBe(2);
  });

  test('is not blocked by a project without call capacity', async () => {
    await storeEntry(fixture.table, number, { concurrent_calls: 2 });
    const busy = await newProject({ max_concurrent_calls: 1 });
    const elsewhere = await dialed(busy, 1, '+12025550104');
    const [first, ...others] = await dialed(await newProject(), 3);
    const stuck = await dialed(busy, 1);
    if (first === undefined) throw new Error('no task');
    expect(await underWay([...elsewhere, first, ...others, ...stuck])).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    await endOne([first, ...others]);
    expect(await underWay([...others, ...stuck])).toEqual([true, true, false]);
    await endOne(elsewhere);
    await endOne(others);
    expect(await underWay(stuck)).toEqual([true]);
  });
});
