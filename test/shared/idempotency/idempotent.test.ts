import { describe, expect, test } from 'vitest';
import { Created } from '#shared/domain/created.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import type { Table } from '#shared/table/client.ts';
import { getTask } from '#shared/table/task.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import type { Answer, RawRequest } from '#shared/triggers/http.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { formPostEvent } from '../../support/lambda-events.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { newTaskIn } from '../../support/new-task.ts';
import { startTableProxy } from '../../support/table-proxy.ts';

const embedded = await forThisFile(startEmbeddedTable());

type IdAnswer = Answer<{ id: string }>;

const newTask = (): Promise<NewTask> => newTaskIn(embedded.table);

function requestOf(body: unknown, key: string | null): RawRequest {
  const resource = '/v1/task';
  const sourceEvent = formPostEvent({
    resource,
    path: resource,
    pathParameters: null,
    headers: {},
    body: '',
  });
  return {
    method: 'POST',
    resource,
    path: resource,
    pathParameters: {},
    query: new URLSearchParams(),
    headers: key === null ? {} : { 'idempotency-key': key },
    body: Buffer.from(JSON.stringify(body)),
    sourceEvent,
  };
}

/** Creates a task as the endpoint does, and then runs `afterwards`. */
function post(
  newTask: NewTask,
  key: string | null,
  {
    table = embedded.table,
    now = () => new Date(),
    afterwards = () => Promise.resolve(),
  }: { table?: Table; now?: () => Date; afterwards?: () => Promise<void> } = {},
): Promise<IdAnswer> {
  const perform = idempotent({ table, body: Created, now }, async ({ projectId }, _, remember) => {
    const { id } = await createTask(table, {
      projectId,
      newTask,
      alongside: (task) => remember({ id: task.id }),
    });
    await afterwards();
    return { id };
  });
  return perform({ projectId: newTask.project_id }, newTask, requestOf(newTask, key));
}

const replayed = (body: { id: string }): IdAnswer => ({
  headers: { 'Idempotent-Replayed': 'true' },
  body,
});

describe('a request with an idempotency key', () => {
  test('that died between transaction and response returns what it created', async () => {
    const body = await newTask();
    let die = (): void => {};
    const died = new Promise<void>((resolve) => {
      die = resolve;
    });
    const never = new Promise<void>(() => {});
    void post(body, 'a', {
      afterwards: () => {
        die();
        return never;
      },
    });
    await died;
    const { headers, body: answer } = await post(body, 'a');
    expect(headers).toEqual({ 'Idempotent-Replayed': 'true' });
    expect(await getTask(embedded.table, answer.id)).toMatchObject({ status: 'PENDING' });
    expect(await post(body, 'a')).toEqual(replayed(answer));
  });

  test('that failed after its transaction returns what it created', async () => {
    const body = await newTask();
    const answer = await post(body, 'a', { afterwards: () => Promise.reject(new Error('a fault')) });
    expect(answer).toEqual(replayed(answer.body));
  });

  test('costs no extra request to the table, and one when replayed', async () => {
    const body = await newTask();
    const proxy = await startTableProxy(embedded, (_, forward) => forward());
    const operations = async (key: string | null): Promise<string[]> => {
      proxy.operations.length = 0;
      await post(body, key, { table: proxy.table });
      // The first write of an instance requests the project's key.
      return proxy.operations.filter(
        (name, at, all) => name !== 'GetItem' || all[at + 1] !== 'TransactWriteItems',
      );
    };
    expect(await operations(null)).toEqual(['TransactWriteItems']);
    expect(await operations('a')).toEqual(['TransactWriteItems']);
    expect(await operations('a')).toEqual(['TransactWriteItems', 'GetItem']);
    await proxy.stop();
  });

  test('is remembered for exactly 24 hours, even if its record remains', async () => {
    const body = await newTask();
    const startedAtMs = Date.parse('2026-03-01T09:00:00.000Z');
    const at = (seconds: number) => ({ now: () => new Date(startedAtMs + seconds * 1000) });
    const first = await post(body, 'a', at(0));
    const day = 24 * 60 * 60;
    expect(await post(body, 'a', at(day - 1))).toEqual(replayed(first.body));
    const later = await post(body, 'a', at(day));
    expect(later).toEqual({ body: { id: expect.any(String) } });
    expect(later.body.id).not.toBe(first.body.id);
    expect(await post(body, 'a', at(day + 1))).toEqual(replayed(later.body));
  });

  test('is forgotten if refused', async () => {
    const body = await newTask();
    await expect(post({ ...body, patient_id: uuidv7() }, 'a')).rejects.toMatchObject({ code: 'not_found' });
    expect(await post(body, 'a')).toEqual({ body: { id: expect.any(String) } });
  });

  test('is told to retry while the outcome of another one with its key is unknown', async () => {
    const body = await newTask();
    const { body: answer } = await post(body, 'a');
    const proxy = await startTableProxy(embedded, async (operation, forward, response) => {
      // As if the record had expired between refusing the write and being read.
      if (operation !== 'GetItem') return forward();
      response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
    });
    await expect(post(body, 'a', { table: proxy.table })).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    expect(await post(body, 'a')).toEqual(replayed(answer));
    await proxy.stop();
  });

  test('returns a server error if the table does not answer', async () => {
    const body = await newTask();
    const proxy = await startTableProxy(embedded, async (_, __, response) => {
      response
        .writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' })
        .end('{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"}');
    });
    await expect(post(body, 'a', { table: proxy.table })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await proxy.stop();
  });
});

test('a request without an idempotency key is never deduplicated', async () => {
  const body = await newTask();
  const [first, second] = [await post(body, null), await post(body, null)];
  expect(first.body.id).not.toBe(second.body.id);
});
