import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { CallServices } from '#shared/calls/call-services.ts';
import { claimCall } from '#shared/calls/dial/claim-call.ts';
import { dialTask } from '#shared/calls/dial/dial-task.ts';
import type { OptOutInput } from '#shared/domain/opt-out.ts';
import type { Task } from '#shared/domain/task.ts';
import { addOptOut, liftOptOut } from '#shared/opt-outs/change-opt-outs.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import { addOptOutItem, getOptOut, listOptOuts } from '#shared/table/opt-out.ts';
import { getProject } from '#shared/table/project.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { newEvents } from '#shared/webhooks/events.ts';
import { callFixtureForThisFile } from '../../../support/call-fixture.ts';
import { scanTable } from '../../../support/scan-table.ts';
import { slotAtNumber } from '../../../support/slot-at-number.ts';
import { anotherTask, endOptedOut, optedOut, optOutOn, outcomeOf, sayOptOut } from './opted-out-number.ts';

const fixture = await callFixtureForThisFile();

async function storedItem(task: Task): Promise<Record<string, unknown>> {
  const { Item } = await fixture.table.client.send(
    new GetCommand({ TableName: fixture.table.name, Key: { pk: `TASK#${task.id}`, sk: 'TASK' } }),
  );
  if (Item === undefined) throw new Error('the task is gone');
  return Item;
}

describe('a call with an opt-out', () => {
  test('is stored with its completion, without any words', async () => {
    const task = await fixture.newTask({ phone_number: '+12025550160' });
    const call = await optOutOn(fixture, task);
    expect(await fixture.task(task)).toMatchObject({ status: 'FAILED', task_outcome: optedOut.summary });
    const items = await scanTable(fixture.table);
    expect(items.filter((item) => item.type === 'opt-out' && item.project_id === task.project_id)).toEqual([
      {
        pk: `PROJECT#${task.project_id}`,
        sk: 'OPTOUT#+12025550160',
        type: 'opt-out',
        project_id: task.project_id,
        phone_number: '+12025550160',
        call_id: call.id,
        task_id: task.id,
        created_at: call.completed_at,
      },
    ]);
  });

  test.each([true, false])('keeps the number from being called at once (%s)', async (isImmediate) => {
    const task = await sayOptOut(fixture, {}, { isImmediate });
    const another = await anotherTask(fixture, task);
    await fixture.handle({ kind: 'dial', task_id: another.id });
    expect(await fixture.task(another)).toMatchObject({
      status: 'FAILED',
      task_outcome: outcomeOf(fixture.now),
    });
    expect(await fixture.calls(another)).toEqual([]);
  });

  test('does not bring back what a person has lifted since it was said', async () => {
    const task = await sayOptOut(fixture);
    const change = { list: task.project_id, by: 'kim', reason: 'They called back.', now: fixture.now };
    await liftOptOut(fixture.table, task.phone_number, change);
    const call = await endOptedOut(fixture, await fixture.newestCall(task));
    expect(call.result?.ending).toBe('opted-out');
    expect(await getOptOut(fixture.table, task.project_id, task.phone_number)).toMatchObject({
      status: 'lifted',
    });
  });

  test('is stored even if its task ended meanwhile', async () => {
    const task = await fixture.newTask({ phone_number: '+12025550160' });
    const call = await fixture.dial(task);
    fixture.results.set(call.id, optedOut);
    const current = await storedItem(task);
    await writeTransaction(fixture.table, [
      {
        Put: {
          TableName: fixture.table.name,
          Item: { ...current, status: 'CANCELLED', current_call_id: null },
        },
      },
    ]);
    await fixture.progress(call, 'completed', 3);
    await fixture.lookUntilCompleted(call);
    expect(await getOptOut(fixture.table, task.project_id, task.phone_number)).toMatchObject({
      call_id: call.id,
    });
  });

  test.each(['refused', 'wrong-number', 'declined', 'voicemail'] as const)(
    'is not one that ended %s',
    async (ending) => {
      const task = await fixture.newTask({ phone_number: '+12025550160' });
      const call = await fixture.dial(task);
      fixture.results.set(call.id, { ...optedOut, ending });
      await fixture.progress(call, 'completed', 3);
      await fixture.lookUntilCompleted(call);
      expect(await listOptOuts(fixture.table, task.project_id)).toEqual([]);
    },
  );
});

describe('an opted-out number', () => {
  async function withOptOut(phoneNumber: string): Promise<{ task: Task; day: Date }> {
    const task = await fixture.newTask({ phone_number: phoneNumber });
    await optOutOn(fixture, task);
    return { task, day: fixture.now };
  }

  test('is not called for a later task, which fails with the reason and date', async () => {
    const { task, day } = await withOptOut('+12025550161');
    fixture.pass(3 * 24 * 60 * 60);
    const later = await anotherTask(fixture, task);
    const before = fixture.carrier.placements().length;
    const beforeItem = await storedItem(later);
    await fixture.handle({ kind: 'dial', task_id: later.id });
    expect(fixture.carrier.placements().length).toBe(before);
    expect(await fixture.calls(later)).toEqual([]);
    expect(await fixture.task(later)).toEqual({
      ...later,
      status: 'FAILED',
      task_outcome: outcomeOf(day),
      next_attempt_at: null,
      next_attempt_reason: null,
      updated_at: fixture.now.toISOString(),
    });
    expect(await fixture.isDue(later.id)).toBe(false);
    // The stream delivers one event without a call, however often the dial is repeated.
    const afterItem = await storedItem(later);
    expect(newEvents(beforeItem, afterItem).map(({ payload }) => payload)).toEqual([
      {
        event: 'task.completed',
        task_id: later.id,
        call_id: null,
        timestamp: fixture.now.toISOString(),
      },
    ]);
    await fixture.handle({ kind: 'dial', task_id: later.id });
    expect(await storedItem(later)).toEqual(afterItem);
  });

  test('is not called for an earlier task', async () => {
    const task = await fixture.newTask({ phone_number: '+12025550162' });
    const waiting = await anotherTask(fixture, task);
    await optOutOn(fixture, task);
    await fixture.handle({ kind: 'dial', task_id: waiting.id });
    expect(await fixture.task(waiting)).toMatchObject({
      status: 'FAILED',
      task_outcome: outcomeOf(fixture.now),
    });
    expect(await fixture.calls(waiting)).toEqual([]);
  });

  test('is not redialed for another task, which keeps its findings', async () => {
    const task = await fixture.newTask({ phone_number: '+12025550163' });
    const redialled = await anotherTask(fixture, task);
    const first = await fixture.dial(redialled);
    await fixture.progress(first, 'busy', 2);
    expect(await fixture.task(redialled)).toMatchObject({ status: 'IN_PROGRESS', attempts: 1 });
    await optOutOn(fixture, task);
    const day = fixture.now;
    fixture.pass(300);
    await fixture.handle({ kind: 'dial', task_id: redialled.id });
    expect(await fixture.task(redialled)).toMatchObject({
      status: 'FAILED',
      task_outcome: outcomeOf(day),
      last_call_id: first.id,
    });
    expect(await fixture.calls(redialled)).toHaveLength(1);
  });

  test('cannot be claimed if the opt-out comes between reading the task and claiming it', async () => {
    const { task } = await withOptOut('+12025550164');
    const later = await anotherTask(fixture, task);
    const project = await getProject(fixture.table, task.project_id);
    if (project === null) throw new Error('the project is gone');
    const capacity = await getCallCapacity(fixture.table, project.carrier);
    const line = await slotAtNumber(fixture.table, later);
    await expect(
      claimCall(
        fixture.table,
        { task: later, project },
        { capacity, next: capacity, counts: null, line },
        fixture.now,
      ),
    ).rejects.toThrow(TransactionConditionFailed);
    expect(await fixture.task(later)).toEqual(later);
    expect(await fixture.calls(later)).toEqual([]);
  });

  test('is found by the dial right after its claim', async () => {
    const task = await fixture.newTask({ phone_number: '+12025550165' });
    const optOut: OptOutInput = {
      project_id: task.project_id,
      phone_number: task.phone_number,
      call_id: task.id,
      task_id: task.id,
      created_at: fixture.now.toISOString(),
    };
    const before = fixture.carrier.placements().length;
    const { services } = fixture;
    // Between the reading and the claim, the carrier is asked.
    const interrupted: CallServices = {
      ...services,
      carrier: async (name) => {
        await writeTransaction(fixture.table, [addOptOutItem(fixture.table, optOut)]);
        return services.carrier(name);
      },
    };
    await dialTask(interrupted, task.id);
    expect(fixture.carrier.placements().length).toBe(before);
    expect(await fixture.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome: outcomeOf(fixture.now),
    });
  });

  test('may be called by other projects, and the project may call other numbers', async () => {
    const { task } = await withOptOut('+12025550166');
    const otherProject = await fixture.newTask({ phone_number: task.phone_number });
    const otherNumber = await anotherTask(fixture, task, { phone_number: '+12025550167' });
    for (const allowed of [otherProject, otherNumber]) {
      expect(await fixture.dial(allowed)).toMatchObject({ submission: 'submitted' });
    }
  });

  test('is called again once the opt-out is lifted', async () => {
    const { task } = await withOptOut('+12025550168');
    const change = {
      list: task.project_id,
      by: 'kim@example.com',
      reason: 'They called back.',
      now: fixture.now,
    };
    await liftOptOut(fixture.table, task.phone_number, change);
    await expect(liftOptOut(fixture.table, task.phone_number, change)).rejects.toThrow('Opt-out not found');
    expect(await getOptOut(fixture.table, task.project_id, task.phone_number)).toMatchObject({
      status: 'lifted',
      decision: { at: fixture.now.toISOString(), by: 'kim@example.com', reason: 'They called back.' },
    });
    expect(await fixture.dial(await anotherTask(fixture, task))).toMatchObject({ submission: 'submitted' });
  });

  test('is not called once the opt-out is added again', async () => {
    const { task } = await withOptOut('+12025550169');
    const change = { list: task.project_id, by: 'kim@example.com', reason: 'By letter.', now: fixture.now };
    expect(await addOptOut(fixture.table, task.phone_number, 'person', change)).toBe(false);
    await liftOptOut(fixture.table, task.phone_number, change);
    expect(await addOptOut(fixture.table, task.phone_number, 'person', change)).toBe(true);
    const later = await anotherTask(fixture, task);
    await fixture.handle({ kind: 'dial', task_id: later.id });
    expect((await fixture.task(later)).status).toBe('FAILED');
  });
});
