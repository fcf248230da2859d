import { expect } from 'vitest';
import type { CallMessage } from '#shared/calls/call-message.ts';
import { slotsInUse } from '#shared/calls/capacity/capacity.ts';
import type { Call } from '#shared/domain/call.ts';
import type { Project } from '#shared/domain/project.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { CallFixture } from '../../../support/call-fixture.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

/** No redials, so that a task ends with its first call. */
const once = { max_attempts: 1, delays_seconds: [], redialled_results: [] };

export async function newProject(fixture: CallFixture, changes: Partial<Project> = {}): Promise<Project> {
  const project = sampleProject({ redial_policy: once, ...changes });
  await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
  return project;
}

/** Tasks of the project that are due now, by default each to a different number. */
export async function newTasks(
  fixture: CallFixture,
  project: Project,
  count: number,
  phoneNumber?: string,
): Promise<Task[]> {
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
export function newNumber(): string {
  numbers += 1;
  return `+1202558${String(numbers).padStart(4, '0')}`;
}

export async function dialAll(fixture: CallFixture, tasks: readonly Task[]): Promise<void> {
  await Promise.all(tasks.map(({ id }) => fixture.handle({ kind: 'dial', task_id: id })));
}

/** Calls that have not ended, according to the carrier. */
export function openAtCarrier(fixture: CallFixture): CallFixture['carrier']['calls'] {
  return fixture.carrier.calls.filter(({ status }) => status === 'queued');
}

export async function openCalls(fixture: CallFixture, tasks: readonly Task[]): Promise<Call[]> {
  const calls = await Promise.all(tasks.map((task) => fixture.calls(task)));
  return calls.flat().filter(({ ended_at }) => ended_at === null);
}

export async function endCall(fixture: CallFixture, call: Call): Promise<void> {
  const atCarrier = fixture.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
  if (atCarrier === undefined) throw new Error('the carrier does not know the call');
  atCarrier.status = 'no-answer';
  await fixture.progress(call, 'no_answer', 2);
}

/** Delayed messages that were seen and wait for the clock. */
const delayed = new WeakMap<CallFixture, CallMessage[]>();

/** Advances the clock by a second, the longest delay of a message here, and drains the queue. */
export async function passSecond(fixture: CallFixture): Promise<void> {
  fixture.pass(1);
  const due = delayed.get(fixture) ?? [];
  delayed.set(fixture, []);
  await Promise.all(due.map((message) => fixture.handle(message)));
  await workOff(fixture);
}

/** Runs the queue until only delayed messages remain. */
export async function workOff(fixture: CallFixture): Promise<void> {
  for (let rounds = 0; rounds < 50; rounds += 1) {
    const taken = await fixture.takeQueued();
    const ready = taken.filter(({ isDelayed }) => !isDelayed);
    const later = taken.filter(({ isDelayed }) => isDelayed).map(({ message }) => message);
    delayed.set(fixture, [...(delayed.get(fixture) ?? []), ...later]);
    if (ready.length === 0) return;
    await Promise.all(ready.map(({ message }) => fixture.handle(message)));
  }
  throw new Error('the queue feeds itself for ever');
}

export async function waiting(fixture: CallFixture, tasks: readonly Task[]): Promise<Task[]> {
  const stored = await Promise.all(tasks.map((task) => fixture.task(task)));
  return stored.filter(({ waiting_for_line_since }) => waiting_for_line_since !== null);
}

export async function areOver(fixture: CallFixture, tasks: readonly Task[]): Promise<boolean> {
  const stored = await Promise.all(tasks.map((task) => fixture.task(task)));
  return stored.every(({ status }) => isTerminalTaskStatus(status));
}

/** The open calls. */
export async function expectLimitsKept(
  fixture: CallFixture,
  tasks: readonly Task[],
  limits: ReadonlyMap<string, number>,
  maxCalls: number,
): Promise<Call[]> {
  const open = await openCalls(fixture, tasks);
  const capacity = await getCallCapacity(fixture.table, 'sandbox');
  expect(open.length).toBeLessThanOrEqual(maxCalls);
  expect(slotsInUse(capacity)).toBe(open.length);
  for (const [projectId, limit] of limits) {
    const ofProject = open.filter(({ project_id }) => project_id === projectId);
    expect(ofProject.length).toBeLessThanOrEqual(limit);
    expect(capacity.slots[projectId] ?? 0).toBe(ofProject.length);
  }
  const numbersAtCarrier = openAtCarrier(fixture).map(({ to }) => to);
  expect(new Set(numbersAtCarrier).size).toBe(numbersAtCarrier.length);
  return open;
}
