import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import { addOptOutItem } from '#shared/table/opt-out.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { cancelTask } from '#shared/tasks/cancel-task.ts';
import { estimateCost } from '#shared/usage/estimate-cost.ts';
import { CallFixture } from '../../../support/call-fixture.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import {
  areOver,
  dialAll,
  endCall,
  newNumber,
  newProject,
  newTasks,
  openAtCarrier,
  openCalls,
  passSecond,
  waiting,
  workOff,
} from './calls-at-once.ts';

const unanswered = { calls_placed: 1, calls_answered: 0, minutes: 0, billed_minutes: 0 };

let fixture: CallFixture;
beforeEach(async () => {
  fixture = await CallFixture.start();
});
afterEach(() => fixture.stop());

describe('a task without a slot', () => {
  test('waits, says why, and has its own due time', async () => {
    const project = await newProject(fixture, { max_concurrent_calls: 2 });
    const tasks = await newTasks(fixture, project, 3);
    for (const task of tasks) await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(await waiting(fixture, tasks)).toEqual([
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
    expect(openAtCarrier(fixture)).toHaveLength(2);
  });

  test('is called when another call ends, longest waiting first', async () => {
    const project = await newProject(fixture, { max_concurrent_calls: 1 });
    const tasks = await newTasks(fixture, project, 3);
    for (const task of tasks) {
      await fixture.handle({ kind: 'dial', task_id: task.id });
      fixture.pass(1);
    }
    for (const task of tasks) {
      await workOff(fixture);
      const open = await openCalls(fixture, tasks);
      expect(open.map(({ task_id }) => task_id)).toEqual([task.id]);
      await endCall(fixture, await fixture.newestCall(task));
    }
    await workOff(fixture);
    expect(await areOver(fixture, tasks)).toBe(true);
  });

  test('logs its wait and the completed calls', async () => {
    const project = await newProject(fixture, { max_concurrent_calls: 1 });
    const [first, second] = await newTasks(fixture, project, 2);
    if (first === undefined || second === undefined) throw new Error('no tasks');
    const text = await capturedLog(async () => {
      const call = await fixture.dial(first);
      await fixture.handle({ kind: 'dial', task_id: second.id });
      fixture.pass(40);
      await endCall(fixture, call);
      await workOff(fixture);
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

  test('comes before a later task', async () => {
    const project = await newProject(fixture, { max_concurrent_calls: 1 });
    const [calling, first, later] = await newTasks(fixture, project, 3);
    if (calling === undefined || first === undefined || later === undefined) throw new Error('no tasks');
    const call = await fixture.dial(calling);
    await fixture.handle({ kind: 'dial', task_id: first.id });
    fixture.pass(1);
    await endCall(fixture, call);
    await fixture.handle({ kind: 'dial', task_id: later.id });
    expect(await fixture.task(later)).toMatchObject({
      next_attempt_reason: 'Other tasks of the project have waited longer.',
    });
    await workOff(fixture);
    expect(await fixture.calls(first)).toHaveLength(1);
    expect(await fixture.calls(later)).toEqual([]);
  });

  test('is called at its due time even if every message to wake it is lost', async () => {
    const project = await newProject(fixture, { max_concurrent_calls: 2 });
    const tasks = await newTasks(fixture, project, 7);
    await dialAll(fixture, tasks);
    for (let rounds = 0; !(await areOver(fixture, tasks)); rounds += 1) {
      expect(rounds).toBeLessThan(20);
      for (const call of await openCalls(fixture, tasks)) await endCall(fixture, call);
      await fixture.takeQueued();
      fixture.pass(600);
      await fixture.dialDue();
    }
    expect(fixture.carrier.calls).toHaveLength(7);
  });

  test.each([
    ['the carrier', 2, 20],
    ['the project', 20, 2],
  ])(
    'is called once there is room, although %s had none when its number became free',
    async (_, maxCalls, ofProject) => {
      fixture.carrierLimits.sandbox = { ...fixture.carrierLimits.sandbox, maxCalls };
      const project = await newProject(fixture, { max_concurrent_calls: ofProject });
      const [first, waits] = await newTasks(fixture, project, 2, newNumber());
      const [other, next] = await newTasks(fixture, project, 2);
      if (first === undefined || waits === undefined || other === undefined || next === undefined)
        throw new Error('no tasks');
      const call = await fixture.dial(first);
      await fixture.handle({ kind: 'dial', task_id: waits.id });
      await fixture.dial(other);
      fixture.pass(1);
      await fixture.handle({ kind: 'dial', task_id: next.id });
      await endCall(fixture, call);
      // The free slot at the carrier is taken before the number is checked.
      const woken = (await fixture.takeQueued()).map(({ message }) => message);
      await fixture.handle({ kind: 'dispatch', carrier: 'sandbox' });
      await workOff(fixture);
      expect(await openCalls(fixture, [next])).toHaveLength(1);
      for (const message of woken) await fixture.handle(message);
      for (let seconds = 0; seconds < 3; seconds += 1) await passSecond(fixture);
      await endCall(fixture, await fixture.newestCall(next));
      for (let seconds = 0; seconds < 3; seconds += 1) await passSecond(fixture);
      expect(await openCalls(fixture, [waits])).toHaveLength(1);
    },
  );

  test('stops waiting once canceled', async () => {
    const [busy, idle] = [await newProject(fixture, { max_concurrent_calls: 1 }), await newProject(fixture)];
    fixture.carrierLimits.sandbox = { callsPerSecond: 100, maxCalls: 2 };
    const [calling, cancelled] = await newTasks(fixture, busy, 2);
    const [first, second] = await newTasks(fixture, idle, 2);
    if (calling === undefined || cancelled === undefined) throw new Error('no tasks');
    if (first === undefined || second === undefined) throw new Error('no tasks');
    const call = await fixture.dial(calling);
    await fixture.dial(first);
    await fixture.handle({ kind: 'dial', task_id: cancelled.id });
    await fixture.handle({ kind: 'dial', task_id: second.id });
    await cancelTask(fixture.table, { projectId: busy.id, taskId: cancelled.id });
    fixture.pass(5);
    await endCall(fixture, call);
    await workOff(fixture);
    expect(await fixture.calls(second)).toHaveLength(1);
    expect((await getCallCapacity(fixture.table, 'sandbox')).waiting[busy.id]).toBeUndefined();
  });
});

describe('tasks of two projects to one number', () => {
  test('do not hold each other up, one first in turn at the number and one at the carrier', async () => {
    fixture.carrierLimits.sandbox = { callsPerSecond: 100, maxCalls: 1 };
    const [one, other] = [await newProject(fixture), await newProject(fixture)];
    const [elsewhere] = await newTasks(fixture, one, 1);
    const phoneNumber = newNumber();
    const [calling, atCarrier] = await newTasks(fixture, one, 2, phoneNumber);
    const [atNumber] = await newTasks(fixture, other, 1, phoneNumber);
    if (elsewhere === undefined || calling === undefined) throw new Error('no tasks');
    if (atCarrier === undefined || atNumber === undefined) throw new Error('no tasks');
    const call = await fixture.dial(elsewhere);
    // The number is free, the carrier is not.
    for (const { id } of [calling, atCarrier]) {
      await fixture.handle({ kind: 'dial', task_id: id });
      fixture.pass(1);
    }
    await endCall(fixture, call);
    await workOff(fixture);
    expect(await openCalls(fixture, [calling])).toHaveLength(1);
    await fixture.handle({ kind: 'dial', task_id: atNumber.id });
    for (let seconds = 0; seconds < 3; seconds += 1) await passSecond(fixture);
    await endCall(fixture, await fixture.newestCall(calling));
    for (let calls = 0; calls < 2; calls += 1) {
      for (let seconds = 0; seconds < 5; seconds += 1) await passSecond(fixture);
      const [open, ...others] = await openCalls(fixture, [atCarrier, atNumber]);
      if (open === undefined) throw new Error('neither task is called');
      expect(others).toEqual([]);
      await endCall(fixture, open);
    }
    expect(await areOver(fixture, [atCarrier, atNumber])).toBe(true);
  });
});

describe('waiting tasks that cannot be called in their turn', () => {
  test('delay other projects only until they are checked', async () => {
    fixture.carrierLimits.sandbox = { callsPerSecond: 1, maxCalls: 3 };
    const day = { opens: '08:00', closes: '10:30', days: [1, 2, 3, 4, 5, 6, 7], on_holidays: true };
    const [closing, open] = [await newProject(fixture, { calling_hours: day }), await newProject(fixture)];
    const [busy, ...late] = await newTasks(fixture, closing, 12);
    const [first, second, third] = await newTasks(fixture, open, 3);
    if (busy === undefined || first === undefined || second === undefined) throw new Error('no tasks');
    if (third === undefined) throw new Error('no task');
    for (const task of [busy, first]) await fixture.dial(task);
    fixture.pass(2);
    const call = await fixture.dial(second);
    await dialAll(fixture, late);
    await fixture.handle({ kind: 'dial', task_id: third.id });
    fixture.pass(60 * 60);
    // It goes first with fewer calls in progress, but all of its tasks have to wait until tomorrow.
    await endCall(fixture, await fixture.newestCall(busy));
    await endCall(fixture, call);
    await workOff(fixture);
    const waits = await Promise.all(late.map((task) => fixture.task(task)));
    expect(waits.filter(({ waiting_for_line_since }) => waiting_for_line_since !== null)).toEqual([]);
    for (let seconds = 0; seconds < 3; seconds += 1) await passSecond(fixture);
    expect(await fixture.calls(third)).toHaveLength(1);
  });

  test('do not wake each other forever for the same number', async () => {
    const project = await newProject(fixture);
    const tasks = await newTasks(fixture, project, 4, newNumber());
    await dialAll(fixture, tasks);
    await workOff(fixture);
    const queued = await waiting(fixture, tasks);
    expect(queued).toHaveLength(3);
    await dialAll(fixture, queued);
    await workOff(fixture);
    expect(fixture.queued()).toEqual([]);
    expect(openAtCarrier(fixture)).toHaveLength(1);
  });

  test('leave the number to the next in line', async () => {
    const project = await newProject(fixture);
    const other = await newProject(fixture);
    const phoneNumber = newNumber();
    const [first, optedOut] = await newTasks(fixture, project, 2, phoneNumber);
    const [last] = await newTasks(fixture, other, 1, phoneNumber);
    if (first === undefined || optedOut === undefined || last === undefined) throw new Error('no tasks');
    const call = await fixture.dial(first);
    await fixture.handle({ kind: 'dial', task_id: optedOut.id });
    fixture.pass(1);
    await fixture.handle({ kind: 'dial', task_id: last.id });
    await writeTransaction(fixture.table, [
      addOptOutItem(fixture.table, {
        project_id: project.id,
        phone_number: phoneNumber,
        call_id: call.id,
        task_id: first.id,
        created_at: fixture.now.toISOString(),
      }),
    ]);
    await endCall(fixture, call);
    // The project stays first until its queue is known to be empty.
    for (let seconds = 0; seconds < 3; seconds += 1) await passSecond(fixture);
    expect(await fixture.task(optedOut)).toMatchObject({ status: 'FAILED' });
    expect(await fixture.calls(last)).toHaveLength(1);
  });
});
