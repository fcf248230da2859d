import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slotsInUse } from '#shared/calls/capacity/capacity.ts';
import type { Task } from '#shared/domain/task.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import { CallFixture } from '../../../support/call-fixture.ts';
import { inFull } from '../../../support/in-full.ts';
import {
  areOver,
  dialAll,
  endCall,
  expectLimitsKept,
  newNumber,
  newProject,
  newTasks,
  openAtCarrier,
  passSecond,
  waiting,
} from './calls-at-once.ts';

let fixture: CallFixture;
beforeEach(async () => {
  fixture = await CallFixture.start();
});
afterEach(() => fixture.stop());

/** Each of them reads all calls again after each second. */
const dialsOfProject = inFull ? 20 : 10;
const dials = 3 * dialsOfProject;

describe(`${dials} concurrent dials`, () => {
  test('keep every limit, and each task is called once as slots become free', async () => {
    fixture.carrierLimits.sandbox = { callsPerSecond: 100, maxCalls: 12 };
    const projects = [
      await newProject(fixture, { max_concurrent_calls: 3 }),
      await newProject(fixture, { max_concurrent_calls: 30 }),
      await newProject(fixture, { max_concurrent_calls: 30 }),
    ];
    const shared = newNumber();
    const tasks: Task[] = [];
    for (const project of projects) {
      tasks.push(...(await newTasks(fixture, project, dialsOfProject - 4)));
      tasks.push(...(await newTasks(fixture, project, 4, shared)));
    }
    const limits = new Map(projects.map(({ id, max_concurrent_calls }) => [id, max_concurrent_calls]));
    await dialAll(fixture, tasks);
    let open = await expectLimitsKept(fixture, tasks, limits, 12);
    expect(open.length + (await waiting(fixture, tasks)).length).toBe(dials);

    for (let rounds = 0; open.length > 0 || fixture.carrier.calls.length < dials; rounds += 1) {
      expect(rounds).toBeLessThan(50);
      for (const call of open.slice(0, 5)) await endCall(fixture, call);
      await passSecond(fixture);
      open = await expectLimitsKept(fixture, tasks, limits, 12);
    }
    expect(await areOver(fixture, tasks)).toBe(true);
    expect(fixture.carrier.calls).toHaveLength(dials);
    expect(slotsInUse(await getCallCapacity(fixture.table, 'sandbox'))).toBe(0);
  });
});

describe('a carrier with a low call rate', () => {
  test('gets only that many calls, and the others follow without one message each', async () => {
    fixture.carrierLimits.sandbox = { callsPerSecond: 4, maxCalls: 100 };
    const project = await newProject(fixture, { max_concurrent_calls: 50 });
    const tasks = await newTasks(fixture, project, 18);
    await dialAll(fixture, tasks);
    expect(openAtCarrier(fixture)).toHaveLength(5);
    expect(fixture.queued()).toEqual([{ body: { kind: 'dispatch', carrier: 'sandbox' }, isDelayed: true }]);
    for (let seconds = 1; seconds <= 4; seconds += 1) {
      await passSecond(fixture);
      expect(openAtCarrier(fixture).length).toBeLessThanOrEqual(5 + 4 * seconds);
    }
    expect(openAtCarrier(fixture)).toHaveLength(18);
  });
});
