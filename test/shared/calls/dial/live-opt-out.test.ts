import { describe, expect, test } from 'vitest';
import type { CallServices } from '#shared/calls/call-services.ts';
import { claimCall } from '#shared/calls/dial/claim-call.ts';
import { dialTask } from '#shared/calls/dial/dial-task.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { operatorList } from '#shared/domain/opt-out.ts';
import type { Task } from '#shared/domain/task.ts';
import { addOptOut, confirmOptOut } from '#shared/opt-outs/change-opt-outs.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import { getConversation } from '#shared/table/conversation.ts';
import { getOptOut } from '#shared/table/opt-out.ts';
import { getProject } from '#shared/table/project.ts';
import { TransactionConditionFailed } from '#shared/table/transaction.ts';
import { callFixtureForThisFile } from '../../../support/call-fixture.ts';
import { slotAtNumber } from '../../../support/slot-at-number.ts';
import { startTableProxy } from '../../../support/table-proxy.ts';
import { anotherTask, endOptedOut, optOutOn, outcomeOf, sayOptOut } from './opted-out-number.ts';

const fixture = await callFixtureForThisFile();

describe('35: an opt-out on a live call', () => {
  const operatorOutcome =
    "The number is on this service's do-not-call list. An operator of the service can lift it.";

  /** A live project that a number does not want to hear from again. */
  async function liveOptOut(phone_number: string): Promise<Task> {
    const task = await fixture.newTask({ phone_number }, { carrier: 'live' });
    await optOutOn(fixture, task);
    return task;
  }

  test('applies to all live projects, which do not learn its origin', async () => {
    const { phone_number } = await liveOptOut('+12025550170');
    const other = await fixture.newTask({ phone_number }, { carrier: 'live' });
    await fixture.handle({ kind: 'dial', task_id: other.id });
    expect(await fixture.task(other)).toMatchObject({ status: 'FAILED', task_outcome: operatorOutcome });
    expect(await fixture.calls(other)).toEqual([]);
    const simulated = await fixture.newTask({ phone_number });
    expect(await fixture.dial(simulated)).toMatchObject({ submission: 'submitted' });
  });

  test('applies while that call is still in progress', async () => {
    const { phone_number } = await sayOptOut(fixture, { carrier: 'live' });
    const other = await fixture.newTask({ phone_number }, { carrier: 'live' });
    await fixture.handle({ kind: 'dial', task_id: other.id });
    expect(await fixture.task(other)).toMatchObject({ status: 'FAILED', task_outcome: operatorOutcome });
  });

  test('applies only to its own project if the operator says so', async () => {
    const task = await liveOptOut('+12025550171');
    fixture.pass(fixture.numberLimits.ordinary.gapSeconds);
    const other = await fixture.newTask({ phone_number: task.phone_number }, { carrier: 'live' });
    const byProject: CallServices = { ...fixture.services, optOutScope: 'project' };
    await dialTask(byProject, other.id);
    expect(await fixture.calls(other)).toHaveLength(1);
    const own = await anotherTask(fixture, task);
    await dialTask(byProject, own.id);
    expect(await fixture.task(own)).toMatchObject({ status: 'FAILED', task_outcome: outcomeOf(fixture.now) });
  });

  test('is found by a claim after the lists were read', async () => {
    const task = await liveOptOut('+12025550172');
    const other = await fixture.newTask({ phone_number: task.phone_number }, { carrier: 'live' });
    const project = await getProject(fixture.table, other.project_id);
    if (project === null) throw new Error('the project is gone');
    const capacity = await getCallCapacity(fixture.table, 'live');
    const optOutLists = [project.id, operatorList];
    const line = await slotAtNumber(fixture.table, other, 'live');
    await expect(
      claimCall(
        fixture.table,
        { task: other, project, optOutLists },
        { capacity, next: capacity, counts: null, line },
        fixture.now,
      ),
    ).rejects.toThrow(TransactionConditionFailed);
  });

  /** A toll-free number may be anywhere in the country: passes until it is day in all of it. */
  function passUntilNoon(): void {
    const noon = new Date(fixture.now).setUTCHours(20, 0, 0, 0);
    fixture.pass(((noon - fixture.now.getTime()) / 1000 + 86_400) % 86_400);
  }

  test('on a shared line waits for review, and applies only once confirmed', async () => {
    passUntilNoon();
    const task = await liveOptOut('+18005550173');
    for (const list of [task.project_id, operatorList]) {
      expect(await getOptOut(fixture.table, list, task.phone_number)).toMatchObject({ status: 'review' });
    }
    expect(await fixture.dial(await anotherTask(fixture, task))).toMatchObject({ submission: 'submitted' });
    const change = { list: operatorList, by: 'kim', reason: 'The payer says so.', now: fixture.now };
    await confirmOptOut(fixture.table, task.phone_number, change);
    const other = await fixture.newTask({ phone_number: task.phone_number }, { carrier: 'live' });
    await fixture.handle({ kind: 'dial', task_id: other.id });
    expect(await fixture.task(other)).toMatchObject({ status: 'FAILED', task_outcome: operatorOutcome });
  });

  test('that was confirmed outlasts another one on the same shared line', async () => {
    passUntilNoon();
    const first = await fixture.newTask({ phone_number: '+18005550174' }, { carrier: 'live' });
    const inProgress = await fixture.dial(await anotherTask(fixture, first));
    await optOutOn(fixture, first);
    const change = { by: 'kim', reason: 'The payer says so.', now: fixture.now };
    for (const list of [first.project_id, operatorList]) {
      await confirmOptOut(fixture.table, first.phone_number, { ...change, list });
    }
    expect((await endOptedOut(fixture, inProgress)).result?.ending).toBe('opted-out');
    for (const list of [first.project_id, operatorList]) {
      expect(await getOptOut(fixture.table, list, first.phone_number)).toMatchObject({ status: 'active' });
    }
  });

  test('ends its conversation even if a person adds the number at that moment', async () => {
    const project = { id: uuidv7(), carrier: 'live' } as const;
    const change = { list: project.id, by: 'kim', reason: 'By letter.', now: fixture.now };
    let steps = 0;
    const proxy = await startTableProxy(fixture.tables, async (operation, forward) => {
      if (operation === 'TransactWriteItems') steps += 1;
      // The first one opens the conversation.
      if (steps === 2) await addOptOut(fixture.table, '+12025550103', 'person', change);
      await forward();
    });
    const { id, phone_number } = await sayOptOut(fixture, project, { through: proxy.table });
    await proxy.stop();
    const call = await fixture.newestCall({ id });
    expect(await getConversation(fixture.table, call.id)).toMatchObject({ status: 'ended' });
    expect(await getOptOut(fixture.table, project.id, phone_number)).toMatchObject({ source: 'person' });
  });
});
