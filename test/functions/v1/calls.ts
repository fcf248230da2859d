import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { CallEnding } from '#shared/domain/call-result.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { createCallItem } from '#shared/table/call.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { callKey } from '#shared/table/task-key.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { ApiUnderTest } from '../../support/api-under-test.ts';
import { sampleCall, sampleTask, sampleTime } from '../../support/sample-tasks.ts';
import { result, storedCalls } from './stored-calls.ts';

/** The calls of a task: pages and results. */
export function callSuite(api: () => ApiUnderTest): void {
  const { get, storeTask, readPages, nextPath, callIds } = storedCalls(api);

  describe('the calls of a task', () => {
    test('are none, and no link leads on, before the first dial', async () => {
      const { task } = await storeTask(0);
      const reply = await get(`/v1/task/${task.id}?include_all_calls=true&include_transcript=true`);
      expect(reply.json).toMatchObject({ calls: [], has_more_calls: false });
      expect(reply.headers.get('link')).toBeNull();
    });

    test('are by default the newest one, in the fields of the resource', async () => {
      const { task, calls } = await storeTask(1, () => ({ call_outcome: null }));
      const { json } = await get(`/v1/task/${task.id}`);
      expect(json.has_more_calls).toBe(false);
      expect(json.calls).toEqual([
        {
          id: calls[0]?.id,
          project_id: task.project_id,
          patient_id: task.patient_id,
          status: 'SUCCESS',
          phone_number: task.phone_number,
          number: 1,
          started_at: sampleTime,
          answered_at: null,
          ended_at: sampleTime,
          duration_seconds: null,
          call_outcome: null,
          created_at: sampleTime,
          updated_at: sampleTime,
          recording_url: null,
        },
      ]);
    });

    test('say when they began, were answered and ended, and for how long they were held', async () => {
      const at = (seconds: number): string => new Date(Date.parse(sampleTime) + seconds * 1000).toISOString();
      const { task } = await storeTask(1, () => ({ ended_at: at(100), talk_seconds: 88 }));
      const [call] = (await get(`/v1/task/${task.id}`)).json.calls;
      expect(call).toMatchObject({
        started_at: sampleTime,
        answered_at: at(12),
        ended_at: at(100),
        duration_seconds: 88,
      });
    });

    test.each([
      ['BUSY', 'busy'],
      ['NO_ANSWER', 'no_answer'],
      ['FAILED', 'failed'],
    ] as const)(
      'have no answer and no duration when they ended %s, for which the carrier counts 0 seconds',
      async (status, carrier_progress) => {
        const { task } = await storeTask(1, () => ({ status, carrier_progress, talk_seconds: 0 }));
        const [call] = (await get(`/v1/task/${task.id}`)).json.calls;
        expect(call).toMatchObject({
          status,
          answered_at: null,
          ended_at: sampleTime,
          duration_seconds: null,
        });
      },
    );

    test('that an answer leaves out are behind its link', async () => {
      const { task, calls } = await storeTask(3);
      const newestFirst = calls.map((call) => call.id).reverse();
      const first = await get(`/v1/task/${task.id}`);
      expect(callIds([first])).toEqual(newestFirst.slice(0, 1));
      expect(callIds(await readPages(`/v1/task/${task.id}`))).toEqual(newestFirst);
    });

    test('are all of them, newest first, 50 a page, when all are asked for', async () => {
      const { task, calls } = await storeTask(1);
      const more = Array.from({ length: 119 }, (_, index) =>
        sampleCall(task, { id: uuidv7(Date.parse(sampleTime) + 1000 + index), due_at: null }),
      );
      for (const part of [more.slice(0, 60), more.slice(60)]) {
        await writeTransaction(
          api().table,
          part.map((call) => createCallItem(api().table, call)),
        );
      }
      const pages = await readPages(`/v1/task/${task.id}?include_all_calls=true&include_result=true`);
      expect(pages.map((page) => page.json.calls.length)).toEqual([50, 50, 20]);
      expect(callIds(pages)).toEqual([...calls, ...more].map((call) => call.id).reverse());
      // The requested options also apply to the following pages.
      for (const page of pages) expect(page.json.calls.at(-1)).toHaveProperty('result');
    });

    test('end a page early where many large calls would outgrow one read of the table', async () => {
      const { task, calls } = await storeTask(8, () => ({ call_outcome: 'x'.repeat(300_000) }));
      const pages = await readPages(`/v1/task/${task.id}?include_all_calls=True`);
      expect(pages.length).toBeGreaterThan(1);
      expect(callIds(pages)).toEqual(calls.map((call) => call.id).reverse());
    });

    test('have a structured result only when it is asked for, and so has the task', async () => {
      const { task } = await storeTask(1);
      const plain = await get(`/v1/task/${task.id}`);
      expect(plain.text).not.toContain('"result"');
      const { json } = await get(`/v1/task/${task.id}?include_result=1`);
      expect([json.result, json.calls[0].result]).toEqual([result, result]);
    });

    test('are waited for until a time and for a reason, which are shown together with the result', async () => {
      const waits = {
        next_attempt_at: '2999-01-01T08:00:00.000Z',
        next_attempt_reason: 'All lines of the project are busy.',
        waiting_for_line_since: sampleTime,
      };
      const task = sampleTask({ id: api().mine.projectId }, { status: 'IN_PROGRESS', ...waits });
      await writeTransaction(api().table, [createTaskItem(api().table, task)]);
      expect((await get(`/v1/task/${task.id}?include_result=true`)).json).toMatchObject(waits);
      expect((await get(`/v1/task/${task.id}`)).text).not.toMatch(/next_attempt|waiting_for/);
      const { task: over } = await storeTask(1);
      expect((await get(`/v1/task/${over.id}?include_result=true`)).json).toMatchObject({
        next_attempt_at: null,
        next_attempt_reason: null,
        waiting_for_line_since: null,
      });
    });

    test.each(CallEnding.options)('tell that a conversation ended %s', async (ending) => {
      const { task } = await storeTask(1, () => ({ result: { ...result, ending } }));
      const { json } = await get(`/v1/task/${task.id}?include_result=true`);
      expect(json.calls[0].result).toEqual({ ...result, ending });
    });

    test('tell no ending of a conversation from before it was kept', async () => {
      const { task, calls } = await storeTask(1);
      const { ending: _, ...older } = result;
      await api().table.client.send(
        new UpdateCommand({
          TableName: api().table.name,
          Key: callKey(task.id, String(calls[0]?.id)),
          UpdateExpression: 'SET #result = :older',
          ExpressionAttributeNames: { '#result': 'result' },
          ExpressionAttributeValues: { ':older': older },
        }),
      );
      const { json } = await get(`/v1/task/${task.id}?include_result=true`);
      expect(json.calls[0].result).toEqual({ ...result, ending: null });
    });

    test('name, in the result of their task, the earlier call that an answer is from', async () => {
      const earlier = uuidv7();
      const answer = { key: 'copay', question: 'What is the copay?', answer: '$20', value: 20 };
      const quoted = {
        ...answer,
        quote: 'It is twenty dollars.',
        turn: 3,
        needs_review: false,
        call_id: earlier,
      };
      const disclosures = [{ field: 'patient.name', turn: 2, call_id: earlier }];
      const soFar = { ...result, goal_reached: false, definite: false, answers: [quoted], disclosures };
      const task = sampleTask(
        { id: api().mine.projectId },
        // Far in the future, so nothing dials it.
        { status: 'IN_PROGRESS', next_attempt_at: '2999-01-01T00:00:00.000Z', result: soFar },
      );
      await writeTransaction(api().table, [createTaskItem(api().table, task)]);
      const { json } = await get(`/v1/task/${task.id}?include_result=true`);
      expect(json).toMatchObject({ status: 'IN_PROGRESS', task_outcome: null });
      expect(json.result).toEqual(soFar);
    });

    test.each([
      ['nonsense', 'x'],
      ['padding', `${Buffer.alloc(36).toString('base64url')}=`],
      ['zeros', Buffer.alloc(36).toString('base64url')],
      ['a very long text', 'A'.repeat(5000)],
    ])('are not read from a cursor that is %s', async (_, cursor) => {
      const { task } = await storeTask(0);
      const reply = await get(`/v1/task/${task.id}?cursor=${encodeURIComponent(cursor)}`);
      expect(reply.status).toBe(400);
      expect(reply.json).toEqual({ detail: 'cursor does not belong to this task' });
    });

    test("are not read from another task's cursor", async () => {
      const [mine, theirs] = [await storeTask(0), await storeTask(2)];
      const cursor = /cursor=[^&]*/.exec(nextPath(await get(`/v1/task/${theirs.task.id}`)) ?? '')?.[0];
      expect(cursor).toBeTruthy();
      expect((await get(`/v1/task/${mine.task.id}?${cursor}`)).status).toBe(400);
      expect((await get(`/v1/task/${theirs.task.id}?${cursor}&${cursor}`)).status).toBe(400);
      const foreign = await get(`/v1/task/${theirs.task.id}?${cursor}`, api().other.apiKey);
      expect([foreign.status, foreign.json]).toEqual([404, { detail: 'Task not found' }]);
    });
  });
}
