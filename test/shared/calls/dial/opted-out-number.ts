import type { Call } from '#shared/domain/call.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { writtenDay } from '#shared/domain/written-date.ts';
import type { Table } from '#shared/table/client.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import type { CallFixture } from '../../../support/call-fixture.ts';
import { prompt, startRelayFixture } from '../../../support/relay-fixture.ts';
import { sampleResult, sampleTask } from '../../../support/sample-tasks.ts';

export const optedOut = sampleResult({
  goal_reached: false,
  ending: 'opted-out',
  summary: 'The person called asked not to be called again.',
  answers: [],
});

/** Holds a call on which the person opts out. */
export async function optOutOn(fixture: CallFixture, task: Task): Promise<Call> {
  return endOptedOut(fixture, await fixture.dial(task));
}

/** Ends a call on which the person has opted out; it has no recording. */
export async function endOptedOut(fixture: CallFixture, call: Call): Promise<Call> {
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

/** The person on the line asks not to be called again; their call is still in progress. */
export async function sayOptOut(
  { table }: CallFixture,
  project: Partial<Project> = {},
  { isImmediate = true, through = table }: { readonly isImmediate?: boolean; readonly through?: Table } = {},
): Promise<Task> {
  const model: DialogueModel = {
    name: 'obliging',
    isImmediate,
    async *takeTurn({ event }) {
      if (event.type === 'opened') yield { type: 'say', text: 'Hello, I am an automated assistant.' };
      else yield { type: 'end', reason: 'opted-out', farewell: 'refused' };
    },
  };
  const relay = await startRelayFixture(table, { model, project, through });
  await relay.frame(relay.setupFrame());
  await relay.frame(prompt('Do not call me again.'));
  return relay.task;
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
