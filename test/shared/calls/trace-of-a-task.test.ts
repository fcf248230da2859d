import { expect, test } from 'vitest';
import { log, withLogContext } from '#shared/observability/log.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { followTask } from '#shared/webhooks/fan-out.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { newTaskIn } from '../../support/new-task.ts';

const trace_id = '1-57ff426a-80c11c39b0c928905eb0828d';

const fixture = await callFixtureForThisFile();

/** The trace that the log names after work that an invocation with its own trace does. */
async function traceAfter(work: () => unknown): Promise<unknown> {
  const text = await capturedLog(() =>
    withLogContext({ trace_id: '1-5759e988-bd862e3fe1be46a994272793' }, async () => {
      await work();
      log('after');
    }),
  );
  return JSON.parse(text.trim().split('\n').at(-1) ?? '').trace_id;
}

test('a task keeps the trace of the request that creates it, or none', async () => {
  const create = async () => {
    const newTask = await newTaskIn(fixture.table);
    return createTask(fixture.table, { projectId: newTask.project_id, newTask });
  };
  const traced = await withLogContext({ trace_id }, create);
  expect(await fixture.task(traced)).toMatchObject({ trace_id });
  expect(await fixture.task(await create())).not.toHaveProperty('trace_id');
});

test('its calls, their carrier reports and webhooks belong to that trace', async () => {
  const task = await fixture.newTask({ trace_id });
  expect(await traceAfter(() => fixture.dial(task))).toBe(trace_id);
  const call = await fixture.newestCall(task);
  expect(call).toMatchObject({ trace_id });
  expect(await traceAfter(() => fixture.progress(call, 'busy', 2))).toBe(trace_id);
  expect(await traceAfter(() => followTask({ type: 'task', ...task }))).toBe(trace_id);
  expect(await traceAfter(() => followTask({ type: 'call', ...call }))).toBe(trace_id);
});

test('work for an untraced task has no trace, even after work for another', async () => {
  const { task, call } = await fixture.newDialled();
  expect(await traceAfter(() => fixture.progress(call, 'busy', 2))).toBeNull();
  expect(await traceAfter(() => followTask({ type: 'task', ...task }))).toBeNull();
});
