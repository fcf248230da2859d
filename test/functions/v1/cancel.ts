import { beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '#shared/domain/task.ts';
import { createCallItem, getCall } from '#shared/table/call.ts';
import { createTaskItem, getTask } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type ApiReply, type ApiUnderTest, createPatientIn, send } from '../../support/api-under-test.ts';
import { sampleCall, sampleTask, sampleTime } from '../../support/sample-tasks.ts';

/** `POST /v1/task/{task_id}/cancel`. */
export function cancelSuite(api: () => ApiUnderTest): void {
  describe('cancelling a task', () => {
    let patientId: string;
    beforeAll(async () => {
      patientId = await createPatientIn(api(), api().mine);
    });

    const cancel = (id: string, body?: string): Promise<ApiReply> =>
      send(api().baseUrl, {
        method: 'POST',
        path: `/v1/task/${id}/cancel`,
        apiKey: api().mine.apiKey,
        body,
      });
    const get = (id: string): Promise<ApiReply> =>
      send(api().baseUrl, { method: 'GET', path: `/v1/task/${id}`, apiKey: api().mine.apiKey });

    /** A task that is not dialed yet. */
    const storeTask = async (changes: Partial<Task> = {}): Promise<Task> => {
      const task = sampleTask(
        { id: api().mine.projectId },
        { patient_id: patientId, next_attempt_at: '2999-01-01T00:00:00.000Z', ...changes },
      );
      await writeTransaction(api().table, [createTaskItem(api().table, task)]);
      return task;
    };

    test('answers with the task as it is read from then on', async () => {
      const { id } = await storeTask();
      const reply = await cancel(id);
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({
        id,
        status: 'CANCELLED',
        task_outcome: 'Canceled. No call was made.',
        calls: [],
        has_more_calls: false,
      });
      expect(reply.json).toEqual((await get(id)).json);
      expect(reply.headers.get('cache-control')).toBe('no-store');
    });

    test('shows the newest call, which may still be ending', async () => {
      const call = sampleCall(sampleTask({ id: api().mine.projectId }), { attempt: 2, due_at: sampleTime });
      const older = sampleCall(await storeTask(), { id: '01890a5d-ac96-774b-bcce-b302099a8057' });
      const task = await storeTask({
        id: call.task_id,
        status: 'IN_PROGRESS',
        attempts: 2,
        current_call_id: call.id,
        last_call_id: call.id,
        next_attempt_at: null,
        next_attempt_reason: null,
      });
      await writeTransaction(api().table, [
        createCallItem(api().table, call),
        createCallItem(api().table, { ...older, task_id: task.id, due_at: null, status: 'BUSY' }),
      ]);
      const { status, json } = await cancel(task.id);
      expect([status, json.status, json.has_more_calls]).toEqual([200, 'CANCELLED', true]);
      expect(json.calls.map((shown: { id: string }) => shown.id)).toEqual([call.id]);
      expect(Object.keys(json)).toEqual(Object.keys((await get(task.id)).json));
      const ending = await getCall(api().table, task.id, call.id);
      expect(ending?.end_requested_at).toEqual(expect.any(String));
    });

    test('of a task that is over is answered 409, and changes nothing', async () => {
      for (const status of ['COMPLETED', 'FAILED', 'CANCELLED'] as const) {
        const task = await storeTask({ status, next_attempt_at: null, next_attempt_reason: null });
        const reply = await cancel(task.id);
        expect([reply.status, reply.json]).toEqual([
          409,
          { detail: `Task is already ${status} and cannot be cancelled` },
        ]);
        expect(await getTask(api().table, task.id)).toEqual(task);
      }
    });

    test('by twenty requests at the same moment is answered 200 once and 409 otherwise', async () => {
      const { id } = await storeTask();
      const replies = await Promise.all(Array.from({ length: 20 }, () => cancel(id)));
      expect(replies.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 19 }, () => 409),
      ]);
    });

    test.each(['', '{}', '{"reason":"no longer needed"}', '{"broken'])(
      'needs no body and takes no notice of one: %s',
      async (body) => {
        const { id } = await storeTask();
        expect((await cancel(id.toUpperCase(), body)).status).toBe(200);
      },
    );
  });
}
