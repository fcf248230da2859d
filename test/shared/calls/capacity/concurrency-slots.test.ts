import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slotsInUse } from '#shared/call-capacity/capacity.ts';
import type { CallMessage } from '#shared/calls/call-message.ts';
import type { Call } from '#shared/domain/call.ts';
import type { Project } from '#shared/domain/project.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import { putOptOutItem } from '#shared/table/opt-out.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { cancelTask } from '#shared/tasks/cancel-task.ts';
import { estimateCost } from '#shared/usage/estimate-cost.ts';
import { CallFixture } from '../../../support/call-fixture.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

let fixture: CallFixture;
beforeEach(async () => {
  later = [];
  fixture = await CallFixture.start();
});
afterEach(() => fixture.stop());

/** Nobody is called twice, so that a task ends with its first call. */
const once = { max_attempts: 1, delays_seconds: [], redialled_results: [] };

async function newProject(changes: Partial<Project> = {}): Promise<Project> {
  const project = sampleProject({ redial_policy: once, ...changes });
  await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
  return project;
}

/** Tasks of the project that are due now, each to a number of its own unless one is given. */
async function newTasks(project: Project, count: number, phoneNumber?: string): Promise<Task[]> {
  const next_attempt_at = fixture.now.toISOString();
  const tasks = Array.from({ length: count }, () =>
    sampleTask(project, { next_attempt_at, phone_number: phoneNumber ?? newNumber() }),
  );
  await Promise.all(
    tasks.map((task) => writeTransaction(fixture.table, [createTaskItem(fixture.table, task)])),
  );
  return tasks;
}

let numbers = 0;
function newNumber(): string {
  numbers += 1;
  return `+1202558${String(numbers).padStart(4, '0')}`;
}

async function dialAll(tasks: readonly Task[]): Promise<void> {
  await Promise.all(tasks.map(({ id }) => fixture.handle({ kind: 'dial', task_id: id })));
}

/** Calls that the carrier has and that have not ended, as the carrier sees it. */
function openAtCarrier(): CallFixture['carrier']['calls'] {
  return fixture.carrier.calls.filter(({ status }) => status === 'queued');
}

async function openCalls(tasks: readonly Task[]): Promise<Call[]> {
  const calls = await Promise.all(tasks.map((task) => fixture.calls(task)));
  return calls.flat().filter(({ ended_at }) => ended_at === null);
}

async function endCall(call: Call): Promise<void> {
  const atCarrier = fixture.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
  if (atCarrier === undefined) throw new Error('the carrier does not know the call');
  atCarrier.status = 'no-answer';
  await fixture.progress(call, 'no_answer', 2);
}

/** Delayed messages that were seen and wait for the clock to move on. */
let later: CallMessage[] = [];

/** Moves the clock on by a second, which is as long as any message is delayed here, and lets the queue run empty. */
async function passSecond(): Promise<void> {
  fixture.pass(1);
  const due = later;
  later = [];
  await Promise.all(due.map((message) => fixture.handle(message)));
  await workOff();
}

/** Lets the queue run until it is empty but for what is delayed. */
async function workOff(): Promise<void> {
  for (let rounds = 0; rounds < 50; rounds += 1) {
    const taken = await fixture.takeQueued();
    const ready = taken.filter(({ isDelayed }) => !isDelayed);
    later.push(...taken.filter(({ isDelayed }) => isDelayed).map(({ message }) => message));
    if (ready.length === 0) return;
    await Promise.all(ready.map(({ message }) => fixture.handle(message)));
  }
  throw new Error('the queue feeds itself for ever');
}

async function waiting(tasks: readonly Task[]): Promise<Task[]> {
  const stored = await Promise.all(tasks.map((task) => fixture.task(task)));
  return stored.filter(({ waiting_for_line_since }) => waiting_for_line_since !== null);
}

async function areOver(tasks: readonly Task[]): Promise<boolean> {
  const stored = await Promise.all(tasks.map((task) => fixture.task(task)));
  return stored.every(({ status }) => isTerminalTaskStatus(status));
}

async function expectLimitsKept(
  tasks: readonly Task[],
  limits: ReadonlyMap<string, number>,
  maxCalls: number,
): Promise<void> {
  const open = await openCalls(tasks);
  const usage = await getCallCapacity(fixture.table, 'sandbox');
  expect(open.length).toBeLessThanOrEqual(maxCalls);
  expect(slotsInUse(usage)).toBe(open.length);
  for (const [projectId, limit] of limits) {
    const ofProject = open.filter(({ project_id }) => project_id === projectId);
    expect(ofProject.length).toBeLessThanOrEqual(limit);
    expect(usage.slots[projectId] ?? 0).toBe(ofProject.length);
  }
  const numbersAtCarrier = openAtCarrier().map(({ to }) => to);
  expect(new Set(numbersAtCarrier).size).toBe(numbersAtCarrier.length);
}

const unanswered = { calls_placed: 1, calls_answered: 0, minutes: 0, billed_minutes: 0 };

describe('sixty dials at the same moment', () => {
  test('keep every limit, lose nobody, and each task is called once as lines become free', async () => {
    fixture.carrierLimits.sandbox = { callsPerSecond: 100, maxCalls: 12 };
    const projects = [
      await newProject({ max_concurrent_calls: 3 }),
      await newProject({ max_concurrent_calls: 30 }),
      await newProject({ max_concurrent_calls: 30 }),
    ];
    const shared = newNumber();
    const tasks: Task[] = [];
    for (const project of projects) {
      tasks.push(...(await newTasks(project, 16)), ...(await newTasks(project, 4, shared)));
    }
    const limits = new Map(projects.map(({ id, max_concurrent_calls }) => [id, max_concurrent_calls]));
    await dialAll(tasks);
    await expectLimitsKept(tasks, limits, 12);
    expect((await openCalls(tasks)).length + (await waiting(tasks)).length).toBe(60);

    for (let rounds = 0; !(await areOver(tasks)); rounds += 1) {
      expect(rounds).toBeLessThan(50);
      await expectLimitsKept(tasks, limits, 12);
      const [first, second] = await openCalls(tasks);
      for (const call of [first, second]) if (call !== undefined) await endCall(call);
      await passSecond();
    }
    expect(fixture.carrier.calls).toHaveLength(60);
    expect(slotsInUse(await getCallCapacity(fixture.table, 'sandbox'))).toBe(0);
  });
});

describe('a task that gets no line', () => {
  test('waits, says what for, and has a due time of its own', async () => {
    const project = await newProject({ max_concurrent_calls: 2 });
    const tasks = await newTasks(project, 3);
    for (const task of tasks) await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(await waiting(tasks)).toEqual([
      {
        ...tasks[2],
        status: 'PENDING',
        attempts: 0,
        waiting_for_line_since: fixture.now.toISOString(),
        next_attempt_at: new Date(fixture.now.getTime() + 60_000).toISOString(),
        next_attempt_reason: 'The project has reached its limit of 2 concurrent calls.',
        updated_at: fixture.now.toISOString(),
      },
    ]);
    expect(openAtCarrier()).toHaveLength(2);
  });

  test('is called by the end of another call, the one that has waited for longest first', async () => {
    const project = await newProject({ max_concurrent_calls: 1 });
    const tasks = await newTasks(project, 3);
    for (const task of tasks) {
      await fixture.handle({ kind: 'dial', task_id: task.id });
      fixture.pass(1);
    }
    for (const task of tasks) {
      await workOff();
      const open = await openCalls(tasks);
      expect(open.map(({ task_id }) => task_id)).toEqual([task.id]);
      await endCall(await fixture.newestCall(task));
    }
    await workOff();
    expect(await areOver(tasks)).toBe(true);
  });

  test('tells the log how long it has waited, and which calls were completed', async () => {
    const project = await newProject({ max_concurrent_calls: 1 });
    const [first, second] = await newTasks(project, 2);
    if (first === undefined || second === undefined) throw new Error('no tasks');
    const text = await capturedLog(async () => {
      const call = await fixture.dial(first);
      await fixture.handle({ kind: 'dial', task_id: second.id });
      fixture.pass(40);
      await endCall(call);
      await workOff();
    });
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [atOnce, later, ...others] = lines.filter(({ event }) => event === 'call-claimed');
    expect([atOnce.queue_wait_seconds, others]).toEqual([0, []]);
    expect(later.queue_wait_seconds).toBeGreaterThanOrEqual(40);
    expect(later.queue_wait_seconds).toBeLessThan(50);
    expect(lines.filter(({ event }) => event === 'call-completed')).toMatchObject([
      { calls: 1, result: 'NO_ANSWER' },
    ]);
    const costs = lines.filter(({ event }) => event === 'call-cost');
    expect(costs).toHaveLength(1);
    expect(costs[0].estimated_cost_usd).toBeCloseTo(estimateCost('sandbox', unanswered).aws, 6);
  });

  test('comes before a task that asks later', async () => {
    const project = await newProject({ max_concurrent_calls: 1 });
    const [calling, first, later] = await newTasks(project, 3);
    if (calling === undefined || first === undefined || later === undefined) throw new Error('no tasks');
    const call = await fixture.dial(calling);
    await fixture.handle({ kind: 'dial', task_id: first.id });
    fixture.pass(1);
    await endCall(call);
    await fixture.handle({ kind: 'dial', task_id: later.id });
    expect(await fixture.task(later)).toMatchObject({
      next_attempt_reason: 'Other tasks of the project have waited for longer.',
    });
    await workOff();
    expect(await fixture.calls(first)).toHaveLength(1);
    expect(await fixture.calls(later)).toEqual([]);
  });

  test('is called at its due time although every message that should wake it is lost', async () => {
    const project = await newProject({ max_concurrent_calls: 2 });
    const tasks = await newTasks(project, 7);
    await dialAll(tasks);
    for (let rounds = 0; !(await areOver(tasks)); rounds += 1) {
      expect(rounds).toBeLessThan(20);
      for (const call of await openCalls(tasks)) await endCall(call);
      await fixture.takeQueued();
      fixture.pass(600);
      await fixture.dialDue();
    }
    expect(fixture.carrier.calls).toHaveLength(7);
  });

  test('is no longer waited for once it was cancelled', async () => {
    const [busy, idle] = [await newProject({ max_concurrent_calls: 1 }), await newProject()];
    fixture.carrierLimits.sandbox = { callsPerSecond: 100, maxCalls: 2 };
    const [calling, cancelled] = await newTasks(busy, 2);
    const [first, second] = await newTasks(idle, 2);
    if (calling === undefined || cancelled === undefined) throw new Error('no tasks');
    if (first === undefined || second === undefined) throw new Error('no tasks');
    const call = await fixture.dial(calling);
    await fixture.dial(first);
    await fixture.handle({ kind: 'dial', task_id: cancelled.id });
    await fixture.handle({ kind: 'dial', task_id: second.id });
    await cancelTask(fixture.table, { projectId: busy.id, taskId: cancelled.id });
    fixture.pass(5);
    await endCall(call);
    await workOff();
    expect(await fixture.calls(second)).toHaveLength(1);
    expect((await getCallCapacity(fixture.table, 'sandbox')).waiting[busy.id]).toBeUndefined();
  });
});

describe('tasks that wait for a line and cannot be called when it is their turn', () => {
  test('keep no other project waiting longer than it takes to ask them', async () => {
    fixture.carrierLimits.sandbox = { callsPerSecond: 1, maxCalls: 3 };
    const day = { opens: '08:00', closes: '10:30', days: [1, 2, 3, 4, 5, 6, 7], on_holidays: true };
    const [closing, open] = [await newProject({ calling_hours: day }), await newProject()];
    const [busy, ...late] = await newTasks(closing, 12);
    const [first, second, third] = await newTasks(open, 3);
    if (busy === undefined || first === undefined || second === undefined) throw new Error('no tasks');
    if (third === undefined) throw new Error('no task');
    for (const task of [busy, first]) await fixture.dial(task);
    fixture.pass(2);
    const call = await fixture.dial(second);
    await dialAll(late);
    await fixture.handle({ kind: 'dial', task_id: third.id });
    fixture.pass(60 * 60);
    // Its turn comes first with fewer calls under way; but all of its tasks have to wait until tomorrow.
    await endCall(await fixture.newestCall(busy));
    await endCall(call);
    await workOff();
    const waits = await Promise.all(late.map((task) => fixture.task(task)));
    expect(waits.filter(({ waiting_for_line_since }) => waiting_for_line_since !== null)).toEqual([]);
    for (let seconds = 0; seconds < 3; seconds += 1) await passSecond();
    expect(await fixture.calls(third)).toHaveLength(1);
  });

  test('do not wake each other for ever when they wait for the same number', async () => {
    const project = await newProject();
    const tasks = await newTasks(project, 4, newNumber());
    await dialAll(tasks);
    await workOff();
    const queued = await waiting(tasks);
    expect(queued).toHaveLength(3);
    await dialAll(queued);
    await workOff();
    expect(fixture.queued()).toEqual([]);
    expect(openAtCarrier()).toHaveLength(1);
  });

  test('leave the number to the next who waits for it', async () => {
    const project = await newProject();
    const other = await newProject();
    const phoneNumber = newNumber();
    const [first, optedOut] = await newTasks(project, 2, phoneNumber);
    const [last] = await newTasks(other, 1, phoneNumber);
    if (first === undefined || optedOut === undefined || last === undefined) throw new Error('no tasks');
    const call = await fixture.dial(first);
    await fixture.handle({ kind: 'dial', task_id: optedOut.id });
    fixture.pass(1);
    await fixture.handle({ kind: 'dial', task_id: last.id });
    await writeTransaction(fixture.table, [
      putOptOutItem(fixture.table, {
        project_id: project.id,
        phone_number: phoneNumber,
        call_id: call.id,
        task_id: first.id,
        created_at: fixture.now.toISOString(),
      }),
    ]);
    await endCall(call);
    // The project stays first until its queue is known to be empty.
    for (let seconds = 0; seconds < 3; seconds += 1) await passSecond();
    expect(await fixture.task(optedOut)).toMatchObject({ status: 'FAILED' });
    expect(await fixture.calls(last)).toHaveLength(1);
  });
});

describe('a number that is being called', () => {
  test('is called for another task only when that call has ended, whichever project it is of', async () => {
    const [one, other] = [await newProject(), await newProject()];
    const phoneNumber = newNumber();
    const [first] = await newTasks(one, 1, phoneNumber);
    const [second] = await newTasks(other, 1, phoneNumber);
    if (first === undefined || second === undefined) throw new Error('no tasks');
    const call = await fixture.dial(first);
    await fixture.handle({ kind: 'dial', task_id: second.id });
    expect(await fixture.task(second)).toMatchObject({
      status: 'PENDING',
      next_attempt_reason: 'Another call to this number is under way.',
      waiting_for_line_since: fixture.now.toISOString(),
    });
    expect(await fixture.calls(second)).toEqual([]);
    await fixture.progress(call, 'answered', 1);
    await workOff();
    expect(await fixture.calls(second)).toEqual([]);
    await fixture.progress(call, 'completed', 2);
    // The recording is still waited for; the slot is free all the same.
    expect((await fixture.call(call)).completed_at).toBeNull();
    await workOff();
    expect(await fixture.calls(second)).toHaveLength(1);
  });

  test('is called for one task after the other, in the order in which they came', async () => {
    const project = await newProject();
    const tasks = await newTasks(project, 4, newNumber());
    for (const task of tasks) {
      await fixture.handle({ kind: 'dial', task_id: task.id });
      fixture.pass(1);
    }
    for (const task of tasks) {
      expect((await openCalls(tasks)).map(({ task_id }) => task_id)).toEqual([task.id]);
      await endCall(await fixture.newestCall(task));
      await workOff();
    }
    expect(await areOver(tasks)).toBe(true);
  });

  test('is free again when the carrier took no call', async () => {
    const project = await newProject();
    const [first, second] = await newTasks(project, 2, newNumber());
    if (first === undefined || second === undefined) throw new Error('no tasks');
    fixture.carrier.interfere = (_, response) => {
      response.writeHead(429).end('{"code":20429}');
      return true;
    };
    await fixture.handle({ kind: 'dial', task_id: first.id });
    fixture.carrier.interfere = () => false;
    expect(await getCallCapacity(fixture.table, 'sandbox')).toMatchObject({ slots: { [project.id]: 0 } });
    fixture.pass(5);
    await fixture.handle({ kind: 'dial', task_id: second.id });
    expect(await fixture.calls(second)).toHaveLength(1);
  });

  test('is free again when the number is refused, which completes the call in one go', async () => {
    const project = await newProject();
    const [first, second] = await newTasks(project, 2, newNumber());
    if (first === undefined || second === undefined) throw new Error('no tasks');
    fixture.carrier.interfere = (_, response) => {
      response.writeHead(400).end('{"code":21211}');
      return true;
    };
    await fixture.handle({ kind: 'dial', task_id: first.id });
    fixture.carrier.interfere = () => false;
    expect(await fixture.task(first)).toMatchObject({ status: 'FAILED' });
    await fixture.handle({ kind: 'dial', task_id: second.id });
    expect(await fixture.calls(second)).toHaveLength(1);
    expect(await getCallCapacity(fixture.table, 'sandbox')).toMatchObject({ slots: { [project.id]: 1 } });
  });

  test('gives one line back however often its end is reported', async () => {
    const project = await newProject();
    const [first, second] = await newTasks(project, 2);
    if (first === undefined || second === undefined) throw new Error('no tasks');
    const call = await fixture.dial(first);
    await fixture.dial(second);
    await Promise.all(Array.from({ length: 5 }, () => fixture.progress(call, 'busy', 2)));
    await fixture.progress(call, 'completed', 3);
    expect(await getCallCapacity(fixture.table, 'sandbox')).toMatchObject({ slots: { [project.id]: 1 } });
  });

  test('lets a call end that never had a line, such as one from before there were any', async () => {
    const project = await newProject();
    const [task] = await newTasks(project, 1);
    if (task === undefined) throw new Error('no task');
    const call = await fixture.dial(task);
    await fixture.table.client.send(
      new DeleteCommand({
        TableName: fixture.table.name,
        Key: { pk: `DESTINATION#sandbox#${task.phone_number}`, sk: 'LOCK' },
      }),
    );
    await fixture.table.client.send(
      new DeleteCommand({
        TableName: fixture.table.name,
        Key: { pk: 'SWITCHBOARD#sandbox', sk: 'SWITCHBOARD' },
      }),
    );
    await endCall(call);
    expect(await fixture.call(call)).toMatchObject({ status: 'NO_ANSWER' });
  });
});

describe('a carrier that takes few calls a second', () => {
  test('is given just so many, and the others come without being asked for one by one', async () => {
    fixture.carrierLimits.sandbox = { callsPerSecond: 4, maxCalls: 100 };
    const project = await newProject({ max_concurrent_calls: 50 });
    const tasks = await newTasks(project, 18);
    await dialAll(tasks);
    expect(openAtCarrier()).toHaveLength(5);
    expect(fixture.queued()).toEqual([{ body: { kind: 'dispatch', carrier: 'sandbox' }, isDelayed: true }]);
    for (let seconds = 1; seconds <= 4; seconds += 1) {
      await passSecond();
      expect(openAtCarrier().length).toBeLessThanOrEqual(5 + 4 * seconds);
    }
    expect(openAtCarrier()).toHaveLength(18);
  });
});
