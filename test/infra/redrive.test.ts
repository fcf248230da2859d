import {
  GetQueueAttributesCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { toEntry } from '#shared/audit/access-entry.ts';
import { patientSeen } from '#shared/audit/actions.ts';
import { bucketAuditCopies } from '#shared/audit/audit-copies.ts';
import { verifyChain } from '#shared/audit/verify-chain.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { listPatientAccess, writeAuditEntry } from '#shared/table/audit-log.ts';
import { createCallItem } from '#shared/table/call.ts';
import { projectIndexAttributes } from '#shared/table/indexes.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { taskKey } from '#shared/table/task-key.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type CommandRun, runCommandOn, runProcessOn } from '../support/command-run.ts';
import { startEmbeddedQueues } from '../support/embedded-queues.ts';
import { startEmbeddedTable } from '../support/embedded-table.ts';
import { forThisFile } from '../support/lifetime.ts';
import { projectServices } from '../support/project-services.ts';
import { sampleCall, sampleTask } from '../support/sample-tasks.ts';

const [tables, queues] = await Promise.all([
  forThisFile(startEmbeddedTable()),
  forThisFile(startEmbeddedQueues()),
]);

const variables = { AWS_ENDPOINT_URL_SQS: queues.endpoint };
const run = (...args: string[]): Promise<CommandRun> => runCommandOn(tables, 'redrive', args, variables);

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3600_000);

/** A project with an endpoint, and a task with its call, both completed at that time but never announced. */
async function projectWithTask(completedAt: Date) {
  const { project, webhook } = await createProject(projectServices(tables.table), {
    name: 'Redriven',
    carrier: 'sandbox',
    webhook: {
      url: 'https://hooks.example.com/in',
      events: ['task.completed', 'call.completed', 'call.started'],
    },
  });
  const at = completedAt.toISOString();
  const task = sampleTask(project, {
    id: uuidv7(completedAt.getTime() - 60_000),
    status: 'COMPLETED',
    next_attempt_at: null,
    updated_at: at,
  });
  const call = sampleCall(task, {
    id: uuidv7(completedAt.getTime() - 30_000),
    status: 'SUCCESS',
    completed_at: at,
    due_at: null,
  });
  const waiting = sampleTask(project, { id: uuidv7(completedAt.getTime()), next_attempt_at: null });
  // Not in any list of its project yet.
  const underWay = sampleCall(waiting, { carrier_call_sid: `CA${'0'.repeat(32)}`, created_at: at });
  await writeTransaction(tables.table, [
    createTaskItem(tables.table, task),
    createCallItem(tables.table, call),
    createTaskItem(tables.table, waiting),
    createCallItem(tables.table, underWay),
  ]);
  return { project, webhookId: webhook?.endpoint.id ?? '', task, call, underWay };
}

async function deliveriesOf(webhookId: string): Promise<unknown[]> {
  const { Items = [] } = await tables.table.client.send(
    new QueryCommand({
      TableName: tables.table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': `WEBHOOK#${webhookId}`, ':sk': 'DELIVERY#' },
    }),
  );
  return Items;
}

test('announces each unannounced completion of all projects once', async () => {
  const [recent, other, old] = await Promise.all([
    projectWithTask(hoursAgo(30)),
    projectWithTask(hoursAgo(1)),
    projectWithTask(hoursAgo(80)),
  ]);
  const queue = queues.createQueue('deliveries');
  const args = [
    '--table',
    tables.table.name,
    '--delivery-queue',
    queue,
    '--since',
    hoursAgo(48).toISOString(),
  ];
  const one = await run(...args, '--project', other.project.id);
  expect(JSON.parse(one.stdout)).toEqual({ announced: 3 });
  expect(await deliveriesOf(recent.webhookId)).toEqual([]);

  const all = await runProcessOn(tables, 'redrive', args, variables);
  expect(JSON.parse(all.stdout)).toEqual({ announced: 6 });
  for (const { webhookId, task, call, underWay } of [recent, other]) {
    const payloads = (await deliveriesOf(webhookId)).map((item) => Object(item).payload);
    expect(payloads).toHaveLength(3);
    expect(payloads).toContainEqual(expect.objectContaining({ event: 'call.started', call_id: underWay.id }));
    expect(payloads).toContainEqual(expect.objectContaining({ event: 'task.completed', task_id: task.id }));
    expect(payloads).toContainEqual(expect.objectContaining({ event: 'call.completed', call_id: call.id }));
  }
  expect(await deliveriesOf(old.webhookId)).toEqual([]);
});

test('names an item that it cannot read', async () => {
  const { table } = tables;
  const { project } = await createProject(projectServices(table), {
    name: 'Damaged',
    carrier: 'sandbox',
    webhook: null,
  });
  const { id } = sampleTask(project, { id: uuidv7(hoursAgo(1).getTime()) });
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        ...taskKey(id),
        ...projectIndexAttributes(project.id, 'TASK', id),
        type: 'task',
        id,
        status: 'gone',
      },
    }),
  );
  const queue = queues.createQueue('deliveries-of-damaged');
  const since = hoursAgo(2).toISOString();
  const args = ['--table', table.name, '--delivery-queue', queue, '--since', since, '--project', project.id];
  const { exitCode, stderr } = await run(...args);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^Not everything was redriven: TASK#[\w-]+, TASK: this version cannot read .* because of .*\bstatus\b.*\n$/,
    ),
  ]);
});

test('seals audit entries that were never sealed, and files them under their patients, once', async () => {
  const { table } = tables;
  queues.createBucket('audit');
  const [projectId, patientId] = [uuidv7(), uuidv7()];
  const doer = { actor: { kind: 'api-key', id: uuidv7() }, origin: null } as const;
  for (const hours of [80, 30, 0.5]) {
    await writeAuditEntry(table, toEntry(doer, projectId, patientSeen(patientId), hoursAgo(hours)));
  }
  const args = ['--table', table.name, '--audit-bucket', 'audit', '--project', projectId, '--since'];
  const keepSince = async (hours: number): Promise<unknown> => {
    const more = { ...variables, AWS_ENDPOINT_URL_S3: queues.endpoint };
    const { stdout } = await runCommandOn(tables, 'redrive', [...args, hoursAgo(hours).toISOString()], more);
    return JSON.parse(stdout);
  };
  expect(await keepSince(48)).toEqual({ kept: 1 });
  expect(await keepSince(1000)).toEqual({ kept: 1 });
  expect(await keepSince(1000)).toEqual({ kept: 0 });
  const seen = await listPatientAccess(table, projectId, patientId, { limit: 10, before: null });
  expect(seen.items).toHaveLength(2);
  const copies = bucketAuditCopies('audit', queues.s3);
  expect(await verifyChain({ table, copies }, projectId)).toMatchObject({
    blocks: 2,
    copies: 2,
    problems: [],
  });
});

/** A queue and its dead letters. */
async function queueWithDeadLetters(name: string): Promise<readonly [dead: string, alive: string]> {
  const [dead, alive] = [queues.createQueue(`${name}-dead`), queues.createQueue(name)];
  const { Attributes = {} } = await queues.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: dead, AttributeNames: ['QueueArn'] }),
  );
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes.QueueArn, maxReceiveCount: 3 });
  await queues.sqs.send(new SetQueueAttributesCommand({ QueueUrl: alive, Attributes: { RedrivePolicy } }));
  return [dead, alive];
}

test('moves dead letters back to their queue', async () => {
  const [dead, alive] = await queueWithDeadLetters('alive');
  for (let n = 0; n < 12; n += 1) {
    await queues.sqs.send(new SendMessageCommand({ QueueUrl: dead, MessageBody: JSON.stringify({ n }) }));
  }
  const { stdout } = await run('--dead-letters', dead, '--to', alive);
  expect(JSON.parse(stdout)).toEqual({ moved: 12 });
  expect(queues.messages('alive-dead')).toEqual([]);
  expect(
    queues
      .messages('alive')
      .map(({ body }) => Object(body).n)
      .toSorted((a, b) => a - b),
  ).toEqual(Array.from({ length: 12 }, (_, n) => n));
});

test('moves no message to a queue whose dead letter it is not', async () => {
  const [[dead, alive], [otherDead, other]] = await Promise.all([
    queueWithDeadLetters('mine'),
    queueWithDeadLetters('other'),
  ]);
  for (const [from, to] of [
    [dead, other],
    [alive, alive],
    [alive, other],
    [dead, otherDead],
  ] as const) {
    await queues.sqs.send(new SendMessageCommand({ QueueUrl: from, MessageBody: '{}' }));
    expect(await run('--dead-letters', from, '--to', to)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('does not hold the dead letters of --to'),
    });
  }
  expect(queues.messages('mine-dead')).toHaveLength(2);
  expect(queues.messages('mine')).toHaveLength(2);
});

test.each([
  [[], '--table is required'],
  [['--table', 't', '--delivery-queue', 'q', '--since', 'yesterday'], 'must be a time such as'],
  [['--table', 't', '--delivery-queue', 'q', '--since', '2020-01-01T00:00:00Z'], 'within the last 29 days'],
  [['--table', 't', '--audit-bucket', 'b'], '--since is required'],
  [['--dead-letters', 'q'], '--to is required'],
  [['--dead-letters', 'q', '--to', 'p', '--table', 't'], '--table does not go with --dead-letters'],
  [['--audit-bucket', 'b', '--delivery-queue', 'q'], '--delivery-queue does not go with --audit-bucket'],
  [['--table', 't', '--since', '2026-11-20T00:00:00Z', '--to', 'q'], '--to does not go with'],
])('explains what is wrong with %j', async (args, problem) => {
  const { exitCode, stderr } = await run(...args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(problem);
});
