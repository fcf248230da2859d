import { describe, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import type { Task } from '#shared/domain/task.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type CancelledTask, cancelTask } from '#shared/tasks/cancel-task.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { respondJson } from '../../support/http-server.ts';
import { sampleProject, sampleResult, sampleTask } from '../../support/sample-tasks.ts';
import { wavFile } from '../../support/wav-file.ts';

const fixture = await callFixtureForThisFile();

function cancel(task: Task): Promise<CancelledTask> {
  return cancelTask(fixture.table, { projectId: task.project_id, taskId: task.id, now: () => fixture.now });
}

/** How often the carrier was asked to end the call. */
function endings({ carrier_call_sid }: Call): number {
  return fixture.carrier.requests.filter(
    ({ method, url }) => method === 'POST' && url.endsWith(`/Calls/${carrier_call_sid}.json`),
  ).length;
}

async function dialed(): Promise<{ task: Task; call: Call }> {
  const task = await fixture.newTask();
  return { task, call: await fixture.dial(task) };
}

describe('canceling a waiting task', () => {
  test('before its first call ends it at once, and it is never dialed', async () => {
    const task = await fixture.newTask();
    const cancelled = await cancel(task);
    expect(cancelled.callToEnd).toBeNull();
    expect(cancelled.task).toMatchObject({
      status: 'CANCELLED',
      task_outcome: 'Canceled. No call was made.',
      next_attempt_at: null,
      next_attempt_reason: null,
      waiting_for_line_since: null,
      current_call_id: null,
    });
    expect(await fixture.task(task)).toEqual(cancelled.task);
    expect(await fixture.isDue(task.id)).toBe(false);
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(await fixture.calls(task)).toEqual([]);
  });

  test('before its next attempt keeps its calls and their findings', async () => {
    const { task, call } = await dialed();
    await fixture.progress(call, 'busy', 3);
    const between = await fixture.task(task);
    expect(between).toMatchObject({ status: 'IN_PROGRESS', current_call_id: null });
    const { calls, ...cancelled } = await cancel(task);
    expect(cancelled.task).toEqual({
      ...between,
      status: 'CANCELLED',
      task_outcome: 'Canceled. 1 call was made.',
      next_attempt_at: null,
      next_attempt_reason: null,
    });
    expect(calls.map(({ id, status }) => [id, status])).toEqual([[call.id, 'BUSY']]);
    expect(await fixture.call(call)).toEqual(calls[0]);
  });
});

describe('canceling a task with a call in progress', () => {
  test.each(['queued', 'ringing', 'answered'] as const)(
    'ends a call that is %s at the carrier, by its due time alone',
    async (progress) => {
      const { task, call } = await dialed();
      if (progress !== 'queued') await fixture.progress(call, progress, 1);
      const { callToEnd, ...cancelled } = await cancel(task);
      expect(cancelled.task).toMatchObject({
        status: 'CANCELLED',
        task_outcome: 'Canceled. 1 call was made.',
        current_call_id: call.id,
        last_call_id: call.id,
      });
      expect(callToEnd).toMatchObject({ id: call.id, end_requested_at: fixture.now.toISOString() });
      expect(cancelled.calls).toEqual([callToEnd]);
      expect(await fixture.isDue(call.id)).toBe(true);

      await fixture.look(call);
      expect(endings(call)).toBe(1);
      await fixture.lookUntilCompleted(call);
      expect(await fixture.call(call)).toMatchObject({ due_at: null });
      expect(await fixture.task(task)).toEqual({ ...cancelled.task, current_call_id: null });
    },
  );

  test('keeps asking the carrier to end the call', async () => {
    const { task, call } = await dialed();
    await fixture.progress(call, 'answered', 2);
    fixture.pass(30 * 60);
    await cancel(task);
    fixture.carrier.interfere = ({ method, url }, response) => {
      if (method !== 'POST' || !url.includes('/Calls/')) return false;
      respondJson(response, 500, {});
      return true;
    };
    for (let looks = 1; looks <= 4; looks += 1) {
      await fixture.look(call);
      expect(endings(call)).toBe(looks);
      const waitMs = Date.parse((await fixture.call(call)).due_at ?? '') - fixture.now.getTime();
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(10_000);
      fixture.pass(waitMs / 1000);
    }
    fixture.carrier.interfere = () => false;
    await fixture.look(call);
    await fixture.lookUntilCompleted(call);
    expect((await fixture.task(task)).status).toBe('CANCELLED');
  });

  test("without a final callback still ends within a call's limits", async () => {
    const { task, call } = await dialed();
    await cancel(task);
    fixture.carrier.interfere = (_, response) => {
      respondJson(response, 503, {});
      return true;
    };
    await fixture.lookUntilCompleted(call);
    expect((await fixture.call(call)).closed_by).toBe('sweeper');
    expect((await fixture.task(task)).status).toBe('CANCELLED');
  });

  test('finds a call with an unknown dial before it ends it', async () => {
    fixture.carrier.onPlacement((request, response) => {
      fixture.carrier.acceptCall(request);
      response.destroy();
    });
    const task = await fixture.newTask({ phone_number: '+12025550171' });
    const call = await fixture.dial(task);
    expect(call).toMatchObject({ submission: 'unknown', carrier_call_sid: null });
    await cancel(task);
    await fixture.look(call);
    const adopted = await fixture.call(call);
    expect(adopted).toMatchObject({ submission: 'adopted' });
    await fixture.look(call);
    expect(endings(adopted)).toBe(1);
    await fixture.lookUntilCompleted(call);
    expect((await fixture.task(task)).status).toBe('CANCELLED');
  });

  test('ends a call that the carrier accepts only after the cancellation', async () => {
    const task = await fixture.newTask({ phone_number: '+12025550172' });
    let during: Promise<CancelledTask> | null = null;
    fixture.carrier.interfere = (request, response) => {
      if (request.method !== 'POST' || !request.url.endsWith('/Calls.json') || during !== null) return false;
      during = cancel(task);
      const accepted = fixture.carrier.acceptCall(request);
      void during.then(() => respondJson(response, 201, { sid: accepted.sid, status: 'queued' }));
      return true;
    };
    const call = await fixture.dial(task);
    expect(call).toMatchObject({ carrier_progress: 'queued', due_at: fixture.now.toISOString() });
    expect(call.end_requested_at).not.toBeNull();
    await fixture.look(call);
    expect(endings(call)).toBe(1);
    await fixture.lookUntilCompleted(call);
    expect((await fixture.task(task)).status).toBe('CANCELLED');
  });

  test.each([200, 503])(
    'ends a call that is being checked at that moment, with the carrier returning %d',
    async (status) => {
      const { task, call } = await dialed();
      fixture.pass(120);
      let during: Promise<CancelledTask> | null = null;
      fixture.carrier.interfere = ({ method, url }, response) => {
        if (method !== 'GET' || !url.endsWith(`/Calls/${call.carrier_call_sid}.json`) || during !== null) {
          return false;
        }
        during = cancel(task);
        void during.then(() =>
          respondJson(response, status, { sid: call.carrier_call_sid, status: 'ringing' }),
        );
        return true;
      };
      await fixture.look(call);
      expect(endings(call) > 0 || (await fixture.isDue(call.id))).toBe(true);
      await fixture.look(call);
      expect(endings(call)).toBe(1);
    },
  );

  test('leaves an ended call that waits only for its recording', async () => {
    const { task, call } = await dialed();
    fixture.results.set(call.id, sampleResult());
    await fixture.progress(call, 'answered', 2);
    await fixture.sessionEnded(call);
    await fixture.progress(call, 'completed', 3, { talk_seconds: 40 });
    const over = await fixture.call(call);
    const { callToEnd } = await cancel(task);
    expect(callToEnd).toBeNull();
    expect(await fixture.call(call)).toEqual(over);

    const recording = fixture.carrier.addRecording(
      String(call.carrier_call_sid),
      wavFile({ channels: 2, seconds: 1 }),
    );
    await fixture.recordingReady(call, recording.sid);
    await fixture.lookUntilCompleted(call);
    expect(await fixture.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'stored' } });
    expect(endings(call)).toBe(0);
    expect(await fixture.task(task)).toMatchObject({
      status: 'CANCELLED',
      task_outcome:
        'Canceled. 1 call was made. The last call still brought a result: The practice opens at eight.',
      result: { goal_reached: true, follow_up: null },
    });
  });
});

describe('a finished task', () => {
  test.each(['COMPLETED', 'FAILED', 'CANCELLED'] as const)(
    'is not cancelled when it is %s',
    async (status) => {
      const task = await fixture.newTask({ status, next_attempt_at: null, next_attempt_reason: null });
      await expect(cancel(task)).rejects.toMatchObject({
        code: 'conflict',
        detail: `Task is already ${status} and cannot be cancelled`,
      });
      expect(await fixture.task(task)).toEqual(task);
    },
  );

  test("or another project's is unaffected", async () => {
    const task = await fixture.newTask();
    const stranger = sampleProject();
    await expect(
      cancelTask(fixture.table, { projectId: stranger.id, taskId: task.id }),
    ).rejects.toMatchObject({
      code: 'not_found',
      detail: 'Task not found',
    });
    expect(await fixture.task(task)).toEqual(task);
  });
});

describe('canceling at the same moment', () => {
  test('as nineteen others succeeds for one', async () => {
    for (const prepare of [() => fixture.newTask(), async () => (await dialed()).task]) {
      const task = await prepare();
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => cancel(task)));
      const refusals = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [outcome.reason.code] : [],
      );
      expect(refusals).toEqual(Array.from({ length: 19 }, () => 'conflict'));
      expect((await fixture.task(task)).status).toBe('CANCELLED');
    }
  });

  test('as the claim leaves no call, or an ended one', async () => {
    const project = sampleProject({ max_concurrent_calls: 100 });
    await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
    for (let round = 0; round < 12; round += 1) {
      const task = sampleTask(project, {
        phone_number: `+120255501${String(30 + round)}`,
        next_attempt_at: fixture.now.toISOString(),
      });
      await writeTransaction(fixture.table, [createTaskItem(fixture.table, task)]);
      await Promise.all([fixture.handle({ kind: 'dial', task_id: task.id }), cancel(task)]);
      expect((await fixture.task(task)).status).toBe('CANCELLED');
      const [call] = await fixture.calls(task);
      if (call === undefined) continue;
      expect(call.end_requested_at).not.toBeNull();
      await fixture.lookUntilCompleted(call);
      expect(endings(await fixture.call(call))).toBeGreaterThan(0);
      expect((await fixture.task(task)).status).toBe('CANCELLED');
    }
  });

  test('as the call completes leaves one end of the task, whichever came first', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { task, call } = await dialed();
      const [cancelled] = await Promise.allSettled([cancel(task), fixture.progress(call, 'busy', 3)]);
      expect(cancelled.status).toBe('fulfilled');
      const ended = await fixture.task(task);
      expect(ended.status).toBe('CANCELLED');
      await fixture.lookUntilCompleted(call);
      expect((await fixture.call(call)).completed_at).not.toBeNull();
      expect(await fixture.task(task)).toEqual({ ...ended, current_call_id: null });
    }
  });

  test('as the last call decides the task gives a 409 or a canceled task, never both', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { task, call } = await dialed();
      const [cancelled] = await Promise.allSettled([
        cancel(task),
        fixture.progress(call, 'failed', 3, { sip_response_code: '404' }),
      ]);
      const { status } = await fixture.task(task);
      expect(status).toBe(cancelled.status === 'fulfilled' ? 'CANCELLED' : 'FAILED');
      await fixture.lookUntilCompleted(call);
      expect((await fixture.task(task)).status).toBe(status);
    }
  });
});
