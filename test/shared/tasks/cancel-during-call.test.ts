import { describe, expect, test } from 'vitest';
import { newFollowUp } from '#shared/domain/follow-up.ts';
import type { Task } from '#shared/domain/task.ts';
import { replaceFollowUpItem } from '#shared/table/task.ts';
import { needsOf } from '#shared/table/task-needs.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { cancelTask } from '#shared/tasks/cancel-task.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { sampleResult } from '../../support/sample-tasks.ts';

const fixture = await callFixtureForThisFile();

describe('what a call brings after its task was canceled', () => {
  const booked = sampleResult({
    follow_up: 'Bring the insurance card.',
    reference_number: 'RF81866',
    summary: 'Appointment booked for Tuesday, March 10, at 9:00 AM.',
  });

  /** Cancels a task while a person is on the line, and ends its call with the result. */
  async function cancelledMidCall(changes: Partial<Task>, result = booked) {
    const task = await fixture.newTask(changes);
    const call = await fixture.dial(task);
    await fixture.progress(call, 'answered', 2);
    fixture.results.set(call.id, result);
    const cancelled = await cancelTask(fixture.table, {
      projectId: task.project_id,
      taskId: task.id,
      now: () => fixture.now,
    });
    return { task, call, cancelled: cancelled.task };
  }

  test('is kept: a booked appointment is in the outcome and needs follow-up', async () => {
    const { task, call, cancelled } = await cancelledMidCall({ task_type: 'SCHEDULE_APPOINTMENT' });
    fixture.pass(30);
    await fixture.lookUntilCompleted(call);
    const after = await fixture.task(task);
    expect(after).toEqual({
      ...cancelled,
      current_call_id: null,
      task_outcome:
        'Canceled. 1 call was made. The last call still brought a result: ' +
        'Appointment booked for Tuesday, March 10, at 9:00 AM.',
      result: {
        ...booked,
        follow_up:
          'Bring the insurance card. The appointment stands although the task was canceled: ' +
          'keep it, or cancel it with the clinic.',
      },
    });
    expect(needsOf(after)).toMatchObject({ needs_follow_up: true });
    expect(await fixture.isDue(task.id)).toBe(false);
  });

  test('does not change the outcome if it decided nothing', async () => {
    const undecided = { ...booked, goal_reached: false, definite: false };
    const { task, call, cancelled } = await cancelledMidCall({}, undecided);
    await fixture.lookUntilCompleted(call);
    expect(await fixture.task(task)).toEqual({ ...cancelled, current_call_id: null, result: undecided });
  });

  test('overwrites no follow-up that was saved meanwhile, and is not overwritten by one', async () => {
    const { task, call, cancelled } = await cancelledMidCall({});
    const save = (read: Task) =>
      writeTransaction(fixture.table, [
        replaceFollowUpItem(fixture.table, read, { ...newFollowUp, version: 1 }),
      ]);
    await save(cancelled);
    const read = await fixture.task(task);
    await fixture.lookUntilCompleted(call);
    expect(await fixture.task(task)).toMatchObject({ follow_up_work: { version: 1 }, result: booked });
    await expect(save(read)).rejects.toThrow(TransactionConditionFailed);
  });
});
