import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashApiKey } from '#shared/api-keys/key-format.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { getIdempotencyRecord } from '#shared/table/idempotency.ts';
import { createTaskItem, deleteTaskItem, getTask, replaceTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { routes } from '../../../infra/routes.ts';
import {
  type ApiClient,
  type ApiReply,
  type ApiUnderTest,
  createPatientIn,
  laterTaskBody,
  patientBody,
  send,
} from '../../support/api-under-test.ts';
import { sampleTask } from '../../support/sample-tasks.ts';

interface Post {
  readonly path: string;
  readonly body?: Record<string, unknown>;
}

const atOnce = 50;
const newKey = (): string => `key ${uuidv7()}`;
const isReplayed = (reply: ApiReply): boolean => reply.headers.get('idempotent-replayed') === 'true';

/** The `Idempotency-Key` header, over every route that takes a POST from clients. */
export function idempotencySuite(api: () => ApiUnderTest): void {
  let patientId: string;
  beforeAll(async () => {
    patientId = await createPatientIn(api(), api().mine);
  });

  /** A task that is not dialed yet. */
  const storeTask = async (): Promise<string> => {
    const task = sampleTask({ id: api().mine.projectId }, { next_attempt_at: '2999-01-01T00:00:00.000Z' });
    await writeTransaction(api().table, [createTaskItem(api().table, task)]);
    return task.id;
  };
  /** A finished batch. */
  const storeBatch = async (): Promise<string> => {
    const reply = await post({ path: '/v1/task/batch', body: { tasks: [{}] } }, null);
    return reply.json.id;
  };
  /** A successful request of each route, and different ones that would succeed, too. */
  const posts: Record<string, (variant: number) => Promise<Post>> = {
    '/v1/patient': async (variant) => ({
      path: '/v1/patient',
      body: { ...patientBody(api().mine.projectId), last_name: `Example ${variant}` },
    }),
    '/v1/task': async (variant) => ({
      path: '/v1/task',
      body: { ...laterTaskBody(api().mine.projectId, patientId), task: `Ask question ${variant}.` },
    }),
    '/v1/task/batch': async (variant) => ({
      path: '/v1/task/batch',
      body: {
        tasks: [{ ...laterTaskBody(api().mine.projectId, patientId), task: `Ask question ${variant}.` }],
      },
    }),
    '/v1/task/batch/{batch_id}/cancel': async () => ({ path: `/v1/task/batch/${await storeBatch()}/cancel` }),
    '/v1/task/{task_id}/cancel': async () => ({ path: `/v1/task/${await storeTask()}/cancel` }),
  };
  const post = (
    { path, body }: Post,
    key: string | null,
    client: ApiClient = api().mine,
  ): Promise<ApiReply> =>
    send(api().baseUrl, {
      method: 'POST',
      path,
      apiKey: client.apiKey,
      headers: key === null ? {} : { 'Idempotency-Key': key },
      body,
    });
  const postRoutes = routes.filter((route) => route.path.startsWith('/v1/') && route.method === 'POST');

  describe.each(postRoutes)('an Idempotency-Key of $method $path', ({ path }) => {
    const request = (variant = 0): Promise<Post> => {
      const make = posts[path];
      if (make === undefined) throw new Error(`nobody has said how to succeed at ${path}`);
      return make(variant);
    };

    test('has fifty equal requests at the same time done once and answered alike', async () => {
      const [one, key] = [await request(), newKey()];
      const replies = await Promise.all(Array.from({ length: atOnce }, () => post(one, key)));
      const [first] = replies;
      expect(first?.json.id).toBeTruthy();
      for (const { status, text } of replies) expect([status, text]).toEqual([first?.status, first?.text]);
      expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1);
      const later = await post(one, key);
      expect([later.status, later.text, isReplayed(later)]).toEqual([first?.status, first?.text, true]);
      expect(later.headers.get('cache-control')).toBe('no-store');
    });

    test('lets one of fifty different requests succeed and answers 422 to the others', async () => {
      const requests = await Promise.all(Array.from({ length: atOnce }, (_, variant) => request(variant)));
      const key = newKey();
      const replies = await Promise.all(requests.map((one) => post(one, key)));
      const refused = replies.filter(({ status }) => status === 422);
      const others = replies.filter(({ status }) => status !== 422);
      expect(others.map(({ status, text }) => [status, text])).toHaveLength(1);
      for (const { json } of refused) {
        expect(json).toEqual({ detail: 'Idempotency-Key was used with another request; use a new key' });
      }
      expect(replies.filter(isReplayed)).toEqual([]);
    });

    test.each([
      ['empty', ''],
      ['too long', 'x'.repeat(256)],
      ['not ASCII', 'sch\u00f6n'],
      ['not printable', 'a\tb'],
    ])('that is %s is refused, and nothing is done', async (_, key) => {
      const one = await request();
      const reply = await post(one, key);
      expect([reply.status, reply.json]).toEqual([
        400,
        { detail: 'Idempotency-Key must be 1 to 255 printable ASCII characters' },
      ]);
      expect((await post(one, newKey())).status).toBeLessThan(300);
    });

    test('may be as long and as odd as printable ASCII gets', async () => {
      const key = `"{${'~'.repeat(200)} #/?&=${uuidv7()}}"`;
      const one = await request();
      expect(isReplayed(await post(one, key))).toBe(false);
      expect(isReplayed(await post(one, key))).toBe(true);
    });

    test('keeps nothing from being refused before it is looked at', async () => {
      const one = await request();
      const reply = await send(api().baseUrl, {
        method: 'POST',
        path: one.path,
        headers: { 'Idempotency-Key': '' },
        body: one.body,
      });
      expect([reply.status, reply.json]).toEqual([401, { detail: 'Invalid API key' }]);
    });
  });

  test.each(postRoutes.filter(({ path }) => !path.includes('{')))(
    'an Idempotency-Key of $method $path is kept with the ID of what was created, and with nothing about it',
    async ({ path }) => {
      const key = newKey();
      const one = await posts[path]?.(0);
      if (one === undefined) throw new Error('no such request');
      const { json } = await post(one, key);
      const kept = { projectId: api().mine.projectId, keyHash: hashApiKey(key) };
      const record = await getIdempotencyRecord(api().table, kept, new Date());
      expect(JSON.parse(record?.answer ?? '')).toEqual({ id: json.id });
    },
  );

  test('an Idempotency-Key holds for the routes of its project together', async () => {
    const key = newKey();
    const create = await posts['/v1/task']?.(1);
    const cancel = await posts['/v1/task/{task_id}/cancel']?.(1);
    if (create === undefined || cancel === undefined) throw new Error('no such request');
    expect((await post(create, key)).status).toBe(201);
    expect((await post(cancel, key)).status).toBe(422);
    const taskId = cancel.path.split('/').at(-2) ?? '';
    expect((await getTask(api().table, taskId))?.status).toBe('PENDING');
  });

  test('an Idempotency-Key of a cancellation shows the task as it is now, and none that was erased', async () => {
    const { table } = api();
    const [cancel, key] = [await posts['/v1/task/{task_id}/cancel']?.(1), newKey()];
    if (cancel === undefined) throw new Error('no such request');
    expect((await post(cancel, key)).status).toBe(200);
    const task = await getTask(table, cancel.path.split('/').at(-2) ?? '');
    if (task === null) throw new Error('the task is gone');
    const next = { ...task, task_outcome: 'Canceled. 1 call was made.' };
    await writeTransaction(table, [replaceTaskItem(table, task, next)]);
    const again = await post(cancel, key);
    expect([again.json.task_outcome, isReplayed(again)]).toEqual([next.task_outcome, true]);
    await writeTransaction(table, [deleteTaskItem(table, task.id)]);
    const gone = await post(cancel, key);
    expect([gone.status, gone.json]).toEqual([404, { detail: 'Task not found' }]);
  });

  test('an Idempotency-Key of another project is another key', async () => {
    const key = newKey();
    const { mine, other } = api();
    const make = ({ projectId }: ApiClient): Post => ({ path: '/v1/patient', body: patientBody(projectId) });
    const first = await post(make(mine), key);
    const theirs = await post(make(other), key, other);
    expect([theirs.status, isReplayed(theirs)]).toEqual([201, false]);
    expect(theirs.json.id).not.toBe(first.json.id);
  });

  test('an Idempotency-Key is free again when its record has expired, deleted or not', async () => {
    const key = newKey();
    const one: Post = { path: '/v1/patient', body: patientBody(api().mine.projectId) };
    const first = await post(one, key);
    await api().table.client.send(
      new UpdateCommand({
        TableName: api().table.name,
        // Hashed like an API key, by SHA-256.
        Key: { pk: `IDEMPOTENCY#${api().mine.projectId}#${hashApiKey(key)}`, sk: 'IDEMPOTENCY' },
        UpdateExpression: 'SET expires_at_seconds = :now',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':now': Math.floor(Date.now() / 1000) },
      }),
    );
    const second = await post(one, key);
    expect([second.status, isReplayed(second)]).toEqual([201, false]);
    expect(second.json.id).not.toBe(first.json.id);
    expect((await post(one, key)).json.id).toBe(second.json.id);
  });

  test('requests without an Idempotency-Key are done each time', async () => {
    const one: Post = { path: '/v1/patient', body: patientBody(api().mine.projectId) };
    const ids = [await post(one, null), await post(one, null)].map(({ json }) => json.id);
    expect(new Set(ids).size).toBe(2);
  });
}
