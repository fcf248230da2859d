import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { findDue } from '#shared/table/due.ts';
import { getTask } from '#shared/table/task.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { enqueueDial, openFailFastCallQueue } from '#shared/tasks/enqueue-dial.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { respondJson, startTestServer } from '../../support/http-server.ts';
import { newTaskIn } from '../../support/new-task.ts';
import { losingFirstAnswer, startTableProxy, type TableProxy } from '../../support/table-proxy.ts';

let embedded: EmbeddedTable;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
});
afterAll(() => embedded.stop());

const newTask = (): Promise<NewTask> => newTaskIn(embedded.table);

async function dueKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of findDue(embedded.table, new Date().toISOString()))
    keys.push(...page.map(({ pk }) => pk));
  return keys;
}

describe('a task that was created', () => {
  test('is due at once, so that the sweeper finds it when nobody is told of it', async () => {
    const { project_id, ...task } = await newTask();
    const { id } = await createTask(embedded.table, {
      projectId: project_id,
      newTask: { project_id, ...task },
    });
    expect(await dueKeys()).toContain(`TASK#${id}`);
  });

  test('is created all the same when the queue refuses, breaks off or never answers', async () => {
    const body = await newTask();
    const created = await createTask(embedded.table, { projectId: body.project_id, newTask: body });
    const silent = await startTestServer(() => undefined);
    const broken = await startTestServer((_, response) => void response.destroy());
    const refusing = await startTestServer((_, response) =>
      respondJson(response, 400, { __type: 'com.amazonaws.sqs#QueueDoesNotExist' }),
    );
    Object.assign(process.env, {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
    });
    for (const server of [silent, broken, refusing]) {
      process.env.AWS_ENDPOINT_URL_SQS = server.origin;
      const startedAt = Date.now();
      await enqueueDial(openFailFastCallQueue(`${server.origin}/000000000000/calls`), created);
      // API Gateway gives up after 29 s; the function itself after 10.
      expect(Date.now() - startedAt).toBeLessThan(8_000);
      expect(server.requests.length).toBeGreaterThan(0);
      await server.stop();
    }
  });
});

describe('the transaction that creates a task', () => {
  /** The embedded DynamoDB, before which the first transactions are cancelled as by a conflict with another one. */
  const conflicting = (conflicts: number): Promise<TableProxy> => {
    let left = conflicts;
    return startTableProxy(embedded, async (operation, forward, response) => {
      if (operation !== 'TransactWriteItems' || left === 0) return forward();
      left -= 1;
      respondJson(response, 400, {
        __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
        CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }, { Code: 'None' }],
      });
    });
  };

  test('is tried again when it met another one at the same item', async () => {
    const body = await newTask();
    const proxy = await conflicting(3);
    const { id } = await createTask(proxy.table, { projectId: body.project_id, newTask: body });
    expect(await getTask(embedded.table, id)).toMatchObject({ id, status: 'PENDING' });
    expect(proxy.operations).toHaveLength(4);
    await proxy.stop();
  });

  test('is not tried again when a condition does not hold', async () => {
    const body = { ...(await newTask()), patient_id: uuidv7() };
    const proxy = await conflicting(0);
    await expect(
      createTask(proxy.table, { projectId: body.project_id, newTask: body }),
    ).rejects.toMatchObject({
      detail: 'Patient not found',
    });
    expect(proxy.operations).toHaveLength(1);
    await proxy.stop();
  });

  test('is made once when its answer is lost', async () => {
    const body = await newTask();
    const proxy = await startTableProxy(embedded, losingFirstAnswer());
    const { id } = await createTask(proxy.table, { projectId: body.project_id, newTask: body });
    expect(proxy.operations).toEqual(['TransactWriteItems', 'TransactWriteItems']);
    expect(await getTask(embedded.table, id)).toMatchObject({ id });
    await proxy.stop();
  });

  test('survives many at the same time for one project', async () => {
    const body = await newTask();
    const tasks = await Promise.all(
      Array.from({ length: 40 }, () =>
        createTask(embedded.table, { projectId: body.project_id, newTask: body }),
      ),
    );
    expect(new Set(tasks.map((task) => task.id)).size).toBe(40);
  });
});
