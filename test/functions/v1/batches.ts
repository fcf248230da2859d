import { beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { maxBatchItems } from '#shared/domain/task-batch.ts';
import { getTask } from '#shared/table/task.ts';
import { listBatchItems } from '#shared/table/task-batch.ts';
import {
  type ApiReply,
  type ApiUnderTest,
  createPatientIn,
  createTaskIn,
  distinguishable,
  laterTaskBody,
  send,
} from '../../support/api-under-test.ts';

/** `POST /v1/task/batch`, and its result for each task. The worker's tests cover what happens to the tasks. */
export function batchSuite(api: () => ApiUnderTest): void {
  describe('a batch of tasks', () => {
    let patientId: string;
    beforeAll(async () => {
      patientId = await createPatientIn(api(), api().mine);
    });
    const body = (members: object = {}): Record<string, unknown> => ({
      ...laterTaskBody(api().mine.projectId, patientId),
      ...members,
    });
    const post = (path: string, sent: unknown, headers: Record<string, string> = {}): Promise<ApiReply> =>
      send(api().baseUrl, { method: 'POST', path, apiKey: api().mine.apiKey, body: sent, headers });
    const postBatch = (tasks: readonly unknown[], headers: Record<string, string> = {}): Promise<ApiReply> =>
      post('/v1/task/batch', { tasks }, headers);
    const get = (path: string, apiKey = api().mine.apiKey): Promise<ApiReply> =>
      send(api().baseUrl, { method: 'GET', path, apiKey });

    test('answers each for itself, with an identifier or what a request of its own is answered', async () => {
      const foreign = await createPatientIn(api(), api().other);
      const named = `order-${uuidv7()}`;
      const first = await post('/v1/task', body({ external_id: named }));
      const wrong: unknown[] = [
        {},
        ['text'],
        body({ phone_number: '911', task: 7 }),
        body({ phone_number: '+911' }),
        body({ task_data: { questions_to_ask: [{ index: -1 }] } }),
        body({ task_data: { deep: JSON.parse(`${'['.repeat(31)}${']'.repeat(31)}`) } }),
        body({ task: 'x'.repeat(5000) }),
        body({ task: '\ud800' }),
        body({ padding: 'x'.repeat(256 * 1024) }),
        body({ patient_id: uuidv7() }),
        body({ patient_id: foreign }),
        body({ project_id: api().other.projectId }),
        body({ call_before: '2020-01-01T00:00:00Z' }),
        body({ external_id: named }),
      ];
      const reply = await postBatch([body(), ...wrong, body({ task_type: 'INSURANCE_REIMBURSEMENT' })]);
      expect(reply.status).toBe(202);
      const [accepted, ...items] = reply.json.items;
      expect(accepted).toEqual({ index: 0, id: expect.any(String), error: null });
      expect(items.pop()).toMatchObject({ index: wrong.length + 1, id: expect.any(String), error: null });
      expect(first.status).toBe(201);
      for (const [position, one] of wrong.entries()) {
        const single = await post('/v1/task', one, { Prefer: 'errors=all' });
        const { status, code, detail, errors } = items[position].error;
        expect([position, status, code, detail]).toEqual([
          position,
          single.status,
          single.headers.get('x-error-code'),
          single.json.detail,
        ]);
        expect(errors).toEqual(single.json.errors ?? []);
        expect(items[position]).toMatchObject({ index: position + 1, id: null });
      }
    });

    test('takes a thousand tasks, and no more, and not none', async () => {
      const many = (count: number) => Array.from({ length: count }, () => body());
      const reply = await postBatch(many(maxBatchItems));
      expect(reply.status).toBe(202);
      const all: (string | null)[] = reply.json.items.map(({ id }: { id: string | null }) => id);
      const ids = all.filter((id) => id !== null);
      expect([all.length, ids.length, new Set(ids).size]).toEqual([1000, 1000, 1000]);
      expect(all).toEqual(ids.toSorted());
      const tooMany = await postBatch(many(maxBatchItems + 1));
      expect([tooMany.status, tooMany.json]).toEqual([
        400,
        { detail: 'tasks must have at most 1000 entries' },
      ]);
      expect(tooMany.headers.get('x-error-fields')).toBe('tasks');
      expect((await postBatch([])).json).toEqual({ detail: 'tasks must have at least 1 entry' });
      expect((await post('/v1/task/batch', { tasks: {} })).json).toEqual({
        detail: 'tasks must be an array',
      });
    });

    test('takes tasks of the largest size, together more than one transaction of the table holds', async () => {
      // Each of these letters is 2 bytes of the 256 KB that a task may have, and of the 400 KB of an item.
      const large = (index: number) =>
        body({
          task_data: { additional_context: `${index} ${'é'.repeat(127_000)}` },
          task_type: 'CUSTOM_TASK',
        });
      const tasks = Array.from({ length: 14 }, (_, index) => large(index));
      expect(Buffer.byteLength(JSON.stringify(tasks))).toBeGreaterThan(3_500_000);
      const reply = await postBatch(tasks);
      expect(reply.status).toBe(202);
      expect(reply.json.items.map(({ error }: { error: unknown }) => error)).toEqual(tasks.map(() => null));
      const stored = await listBatchItems(api().table, reply.json.id, { from: 0, limit: 100 });
      for (const [index, { new_task, task_id }] of stored.entries()) {
        // Where a worker runs, the task may already exist.
        const task = new_task ?? (await getTask(api().table, task_id ?? ''));
        expect(task?.task_data).toEqual(tasks[index]?.task_data);
      }
      const tooLarge = await postBatch([...tasks, large(14), large(15), large(16)]);
      expect([tooLarge.status, tooLarge.json]).toEqual([
        413,
        { detail: 'Request body must not be larger than 4 MB' },
      ]);
    });

    test('can be read by its project at once, page by page, and by nobody else', async () => {
      const { json } = await postBatch([body(), {}, body(), body()]);
      const path = `/v1/task/batch/${json.id}`;
      const whole = await get(path);
      expect([whole.status, whole.json.id, whole.json.project_id]).toEqual([
        200,
        json.id,
        api().mine.projectId,
      ]);
      const { PENDING, CREATED, REJECTED } = whole.json.item_counts;
      expect([PENDING + CREATED, REJECTED]).toEqual([3, 1]);
      expect(whole.json.items[1]).toMatchObject({
        index: 1,
        status: 'REJECTED',
        task_id: null,
        error: { status: 400, detail: 'Missing required fields' },
      });
      const paged: number[] = [];
      let next: string | null = `${path}?limit=3`;
      while (next !== null) {
        const page: ApiReply = await get(next);
        paged.push(...page.json.items.map(({ index }: { index: number }) => index));
        const cursor: string | null = page.json.next_cursor;
        expect(page.headers.get('link') === null).toBe(cursor === null);
        next = cursor === null ? null : `${path}?limit=3&cursor=${cursor}`;
      }
      expect(paged).toEqual([0, 1, 2, 3]);
      const foreign = await get(path, api().other.apiKey);
      const unknown = await get(`/v1/task/batch/${uuidv7()}`, api().other.apiKey);
      expect(distinguishable(foreign)).toEqual(distinguishable(unknown));
      expect([unknown.status, unknown.json]).toEqual([404, { detail: 'Batch not found' }]);
    });

    test('does nothing twice for a key, whether of the request, of a task in it or of a task of its own', async () => {
      const [key, own, shared] = [uuidv7(), uuidv7(), uuidv7()];
      const single = await post('/v1/task', body(), { 'Idempotency-Key': own });
      const tasks = [
        body({ idempotency_key: own }),
        body({ idempotency_key: own, task: 'Something else.' }),
        body({ idempotency_key: shared }),
        body({ idempotency_key: shared }),
        body({ idempotency_key: 'schön' }),
      ];
      const first = await postBatch(tasks, { 'Idempotency-Key': key });
      const [replayed, reused, made, same, invalid] = first.json.items;
      expect(replayed).toEqual({ index: 0, id: single.json.id, error: null });
      expect(reused.error).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
      expect(same.id).toBe(made.id);
      expect(invalid.error).toMatchObject({
        status: 400,
        detail: 'idempotency_key must be 1 to 255 printable ASCII characters',
      });
      const again = await postBatch(tasks, { 'Idempotency-Key': key });
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
        202,
        first.text,
        'true',
      ]);
      const other = await postBatch([body()], { 'Idempotency-Key': key });
      expect(other.status).toBe(422);
      // Without the request's key, the tasks' own keys apply: their tasks exist or are being created.
      const third = (await postBatch([tasks[2]])).json.items[0];
      if (third.error === null) expect(third.id).toBe(made.id);
      else expect(third.error).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
      const alone = await post('/v1/task', body(), { 'Idempotency-Key': shared });
      expect([made.id, undefined]).toContain(alone.json.id);
      expect([201, 409]).toContain(alone.status);
    });

    test('gives an external_id once, also within the batch', async () => {
      const name = `order-${uuidv7()}`;
      const { json } = await postBatch([body({ external_id: name }), body({ external_id: name })]);
      const [first, second] = json.items;
      expect(second.error).toMatchObject({
        status: 409,
        code: 'external_id_taken',
        detail: `external_id belongs to task ${first.id} already`,
      });
    });

    test('is cancelled as one, again with the same answer', async () => {
      const taskId = await createTaskIn(api(), api().mine, patientId);
      const { json } = await postBatch([body(), body()]);
      const path = `/v1/task/batch/${json.id}/cancel`;
      const cancelled = await post(path, undefined);
      expect([cancelled.status, cancelled.json.status]).toEqual([200, 'CANCELLING']);
      expect(['CANCELLING', 'CANCELLED']).toContain((await post(path, undefined)).json.status);
      expect((await getTask(api().table, taskId))?.status).not.toBe('CANCELLED');
    });
  });
}
