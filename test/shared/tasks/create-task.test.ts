import { describe, expect, test } from 'vitest';
import { openFailFastQueue } from '#shared/aws/message-queue.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import type { Project } from '#shared/domain/project.ts';
import { findDue } from '#shared/table/due.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { getTask } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { enqueueDial } from '#shared/tasks/enqueue-dial.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { respondJson, startTestServer } from '../../support/http-server.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { newTaskIn } from '../../support/new-task.ts';
import { sampleGrant } from '../../support/sample-tasks.ts';
import { losingFirstAnswer, startTableProxy, type TableProxy } from '../../support/table-proxy.ts';

const embedded = await forThisFile(startEmbeddedTable());

const newTask = (): Promise<NewTask> => newTaskIn(embedded.table);

async function dueKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of findDue(embedded.table, new Date().toISOString()))
    keys.push(...page.map(({ pk }) => pk));
  return keys;
}

describe('a created task', () => {
  test('is due at once, so the sweeper finds it if its message is lost', async () => {
    const { project_id, ...task } = await newTask();
    const { id } = await createTask(embedded.table, {
      projectId: project_id,
      newTask: { project_id, ...task },
    });
    expect(await dueKeys()).toContain(`TASK#${id}`);
  });

  test('exists even if the queue refuses, disconnects or hangs', async () => {
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
      await enqueueDial(openFailFastQueue(`${server.origin}/000000000000/calls`), created);
      // API Gateway times out after 29 s; the function itself after 10.
      expect(Date.now() - startedAt).toBeLessThan(8_000);
      expect(server.requests.length).toBeGreaterThan(0);
      await server.stop();
    }
  });
});

describe('who a project may call', () => {
  /** A project with these changes, and the result of a task of it to this number: `created`, or why not. */
  async function outcomeOf(changes: Partial<Project>, phoneNumber: string): Promise<string> {
    const body = await newTask();
    const project = await getProject(embedded.table, body.project_id);
    if (project === null) throw new Error('the project is gone');
    const next = { ...project, ...changes, updated_at: new Date().toISOString() };
    await writeTransaction(embedded.table, [replaceProjectItem(embedded.table, project, next)]);
    return createTask(embedded.table, {
      projectId: body.project_id,
      newTask: { ...body, phone_number: phoneNumber },
    }).then(
      () => 'created',
      (error: unknown) => (error instanceof ServiceError ? `${error.code}: ${error.detail}` : 'fault'),
    );
  }
  const live = { carrier: 'live', live_grant: sampleGrant } as const;
  const notAllowed = 'invalid_request: phone_number must be a number of a country that the project may call';

  test.each(['+15551234567', '+12', '+999123456789012', '+88216123456', '+19005550100', '+447012345678'])(
    'a project of the sandbox may call %s',
    async (number) => {
      expect(await outcomeOf({}, number)).toBe('created');
    },
  );

  test.each([
    ['a sandbox that names countries', { allowed_countries: ['US'] }, '+12025550100', 'created'],
    ['a sandbox that names countries', { allowed_countries: ['US'] }, '+14165550100', `${notAllowed} (US)`],
    ['a live project', live, '+14165550100', 'created'],
    ['a live project', live, '+18765550100', `${notAllowed} (US, CA)`],
    [
      'a live project',
      live,
      '+15005550100',
      'invalid_request: phone_number must not be a satellite, personal, shared-cost or international number',
    ],
    [
      'a live project',
      live,
      '+12025550199',
      "invalid_request: phone_number must not be one of the project's own numbers",
    ],
    [
      'a live project that names countries',
      { ...live, allowed_countries: ['CA'] },
      '+12025550100',
      `${notAllowed} (CA)`,
    ],
    [
      'a live project that names more countries than it was granted',
      { ...live, allowed_countries: ['CA', 'JM'] },
      '+18765550100',
      `${notAllowed} (CA)`,
    ],
    [
      'a live project without a grant',
      { carrier: 'live' },
      '+14165550100',
      'forbidden: The project may not make real calls until an operator of this service grants them',
    ],
    [
      'a live project whose grant was withdrawn',
      { carrier: 'live', live_grant: { ...sampleGrant, withdrawn_at: '2026-02-01T00:00:00.000Z' } },
      '+14165550100',
      'forbidden: The project may no longer make real calls: an operator of this service has withdrawn the grant',
    ],
    [
      'a project that goes live at this moment',
      { carrier: 'live', live_grant: { ...sampleGrant, since: new Date(Date.now() + 60_000).toISOString() } },
      '+14165550100',
      'conflict: The project is going live at this moment; try again in a few seconds',
    ],
    [
      'a project without the type of the task',
      { ...live, enabled_task_types: [] },
      '+14165550100',
      'task_type_not_enabled: Task type CUSTOM_TASK is not enabled for this project',
    ],
  ] as const)('%s, %j, %s: %s', async (_, changes, number, outcome) => {
    expect(await outcomeOf(structuredClone(changes) as Partial<Project>, number)).toBe(outcome);
  });
});

describe('the transaction that creates a task', () => {
  /** What an instance requests once every five minutes. */
  const asksForDataKey = 'GetItem';

  /** The embedded DynamoDB, in front of which the first transactions are canceled as if by a conflict. */
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

  test('is retried after a conflict on the same item', async () => {
    const body = await newTask();
    const proxy = await conflicting(3);
    const { id } = await createTask(proxy.table, { projectId: body.project_id, newTask: body });
    expect(await getTask(embedded.table, id)).toMatchObject({ id, status: 'PENDING' });
    expect(proxy.operations).toEqual([asksForDataKey, ...Array(4).fill('TransactWriteItems')]);
    await proxy.stop();
  });

  test('is not retried if a condition fails', async () => {
    const body = { ...(await newTask()), patient_id: uuidv7() };
    const proxy = await conflicting(0);
    await expect(
      createTask(proxy.table, { projectId: body.project_id, newTask: body }),
    ).rejects.toMatchObject({
      detail: 'Patient not found',
    });
    expect(proxy.operations).toEqual([asksForDataKey, 'TransactWriteItems']);
    await proxy.stop();
  });

  test('is made once if its response is lost', async () => {
    const body = await newTask();
    const proxy = await startTableProxy(embedded, losingFirstAnswer());
    const { id } = await createTask(proxy.table, { projectId: body.project_id, newTask: body });
    expect(proxy.operations).toEqual([asksForDataKey, 'TransactWriteItems', 'TransactWriteItems']);
    expect(await getTask(embedded.table, id)).toMatchObject({ id });
    await proxy.stop();
  });

  test('succeeds for many concurrent requests of one project', async () => {
    const body = await newTask();
    const tasks = await Promise.all(
      Array.from({ length: 40 }, () =>
        createTask(embedded.table, { projectId: body.project_id, newTask: body }),
      ),
    );
    expect(new Set(tasks.map((task) => task.id)).size).toBe(40);
  });
});
