import type { Call } from '#shared/domain/call.ts';
import type { Task } from '#shared/domain/task.ts';
import { writtenDay } from '#shared/domain/written-date.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { CallFixture } from '../../../support/call-fixture.ts';
import { sampleResult, sampleTask } from '../../../support/sample-tasks.ts';

export const optedOut = sampleResult({
  goal_reached: false,
  ending: 'opted-out',
  summary: 'The person called asked not to be called again.',
  answers: [],
});

/** Holds a call on which the person opts out. */
export async function optOutOn(fixture: CallFixture, task: Task): Promise<Call> {
  const call = await fixture.dial(task);
  await fixture.progress(call, 'answered', 2);
  fixture.results.set(call.id, optedOut);
  await fixture.report(call, {
    type: 'recording',
    carrier_call_sid: call.carrier_call_sid ?? '',
    status: 'absent',
    recording_sid: `RE${'0'.repeat(32)}`,
  });
  await fixture.progress(call, 'completed', 3);
  return fixture.call(call);
}

/** Another task of the same project to the same number, due now. */
export async function anotherTask(
  fixture: CallFixture,
  task: Task,
  changes: Partial<Task> = {},
): Promise<Task> {
  const another = sampleTask(
    { id: task.project_id },
    { phone_number: task.phone_number, next_attempt_at: fixture.now.toISOString(), ...changes },
  );
  await writeTransaction(fixture.table, [createTaskItem(fixture.table, another)]);
  return another;
}

export function outcomeOf(day: Date): string {
  const on = writtenDay(day.toISOString().slice(0, 10));
  return `The number asked not to be called again on ${on}. Lift the opt-out to call it.`;
}
