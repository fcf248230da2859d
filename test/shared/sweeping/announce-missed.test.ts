import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { unknownRecording } from '#shared/domain/recording.ts';
import { WebhookDelivery } from '#shared/domain/webhook.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { announceMissed } from '#shared/sweeping/announce-missed.ts';
import { createCallItem } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { endedIndexAttributes } from '#shared/table/indexes.ts';
import { createTaskItem, replaceEndedTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { replaceWebhookDelivery } from '#shared/table/webhook-delivery.ts';
import { startEmbeddedQueues } from '../../support/embedded-queues.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { projectServices } from '../../support/project-services.ts';
import { sampleCall, sampleResult, sampleTask } from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';
import { storedCallItems } from '../../support/stored-calls.ts';

const [tables, queues] = await Promise.all([
  forThisFile(startEmbeddedTable()),
  forThisFile(startEmbeddedQueues()),
]);

const now = new Date('2026-03-20T15:00:00.000Z');
const hoursBefore = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);

async function openServices() {
  const table = await tables.newTable();
  const queueName = `deliveries-${uuidv7()}`;
  const deliveryQueue = { url: queues.createQueue(queueName), client: queues.sqs };
  return { table, deliveryQueue, queueName };
}

/** A task and its call that ended then, but were never announced. */
async function ended(table: Table, endedAt: Date, projectFrom: Date) {
  const { project, webhook } = await createProject(
    projectServices(table),
    {
      name: 'Forgotten',
      carrier: 'sandbox',
      webhook: { url: 'https://hooks.example.com/in', events: ['task.completed', 'call.completed'] },
    },
    projectFrom,
  );
  const at = endedAt.toISOString();
  const over = {
    next_attempt_at: null,
    status: 'COMPLETED',
    updated_at: at,
    task: 'Ask about crutches.',
  } as const;
  const task = sampleTask(project, { ...over, id: uuidv7(endedAt.getTime() - 60_000) });
  const call = sampleCall(task, { status: 'SUCCESS', completed_at: at, updated_at: at });
  await writeTransaction(table, [createTaskItem(table, task), createCallItem(table, call)]);
  return { task, call, webhookId: webhook?.endpoint.id ?? '' };
}

const answerToReview = {
  key: 'hours',
  question: 'When do you open?',
  answer: 'At eight.',
  value: null,
  quote: 'eight',
  turn: 1,
  needs_review: true,
} as const;

async function deliveriesOf(table: Table, webhookId: string): Promise<WebhookDelivery[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': `WEBHOOK#${webhookId}`, ':sk': 'DELIVERY#' },
    }),
  );
  return Items.map((item) => WebhookDelivery.parse({ due_at: null, ...item }));
}

async function typesIn(table: Table): Promise<string[]> {
  return (await scanTable(table)).map(({ type }) => String(type));
}

test('40: a task and a call with an end lost by the stream are announced, counted and found, once', async () => {
  const { queueName, ...services } = await openServices();
  const { table } = services;
  const { task, call, webhookId } = await ended(table, hoursBefore(30), hoursBefore(40));
  await announceMissed(services, now);
  const deliveries = await deliveriesOf(table, webhookId);
  expect(deliveries.map(({ payload }) => [payload.event, payload.task_id, payload.call_id]).sort()).toEqual([
    ['call.completed', task.id, call.id],
    ['task.completed', task.id, null],
  ]);
  expect(queues.messages(queueName)).toHaveLength(2);
  const types = await typesIn(table);
  expect(types.filter((type) => type === 'usage')).toHaveLength(3);
  expect(types).toContain('search-term');

  for (const delivery of deliveries) {
    await replaceWebhookDelivery(table, delivery, { ...delivery, status: 'delivered', due_at: null });
  }
  const before = await scanTable(table);
  await announceMissed(services, new Date(now.getTime() + 60_000));
  expect(await scanTable(table)).toEqual(before);
  expect(queues.messages(queueName)).toHaveLength(2);
});

test('a call is announced while its recording is kept, not only after its deletion', async () => {
  const { queueName, ...services } = await openServices();
  const { table } = services;
  const { task, webhookId } = await ended(table, hoursBefore(30), hoursBefore(40));
  const at = hoursBefore(29).toISOString();
  const kept_until = hoursBefore(-300 * 24).toISOString();
  const recording = { ...unknownRecording, status: 'stored' as const, kept_until, due_at: kept_until };
  const call = sampleCall(task, { status: 'SUCCESS', completed_at: at, updated_at: at, recording });
  await writeTransaction(table, storedCallItems(table, call));
  await announceMissed(services, now);
  const callIds = (await deliveriesOf(table, webhookId)).map(({ payload }) => payload.call_id);
  expect(callIds).toContain(call.id);
  const before = await scanTable(table);
  await announceMissed(services, new Date(now.getTime() + 60_000));
  expect(await scanTable(table)).toEqual(before);
});

test('what a call brought after its task was canceled is announced, although the task has been', async () => {
  const services = await openServices();
  const { table } = services;
  const events = ['task.completed', 'task.needs_review'] as const;
  const { project, webhook } = await createProject(
    projectServices(table),
    { name: 'Late', carrier: 'sandbox', webhook: { url: 'https://hooks.example.com/in', events } },
    hoursBefore(40),
  );
  const webhookId = webhook?.endpoint.id ?? '';
  const published = async (): Promise<string[]> =>
    (await deliveriesOf(table, webhookId)).map(({ payload }) => payload.event).sort();
  const canceledAt = hoursBefore(30).toISOString();
  const callId = uuidv7();
  const task = sampleTask(project, {
    status: 'CANCELLED',
    next_attempt_at: null,
    current_call_id: callId,
    updated_at: canceledAt,
  });
  await writeTransaction(table, [createTaskItem(table, task)]);
  await announceMissed(services, hoursBefore(28));
  expect(await published()).toEqual(['task.completed']);
  const result = sampleResult({ answers: [answerToReview] });
  const at = hoursBefore(27).toISOString();
  const call = sampleCall(task, {
    id: callId,
    status: 'SUCCESS',
    completed_at: at,
    updated_at: at,
    result,
    outlived_task: true,
  });
  await writeTransaction(table, [
    replaceEndedTaskItem(table, task, { ...task, current_call_id: null, result }),
    createCallItem(table, call),
  ]);
  await announceMissed(services, now);
  expect(await published()).toEqual([...events]);
});

test('the stream has an hour for each end', async () => {
  const services = await openServices();
  const { webhookId } = await ended(services.table, hoursBefore(0.9), hoursBefore(2));
  await announceMissed(services, now);
  expect(await deliveriesOf(services.table, webhookId)).toEqual([]);
  expect(await typesIn(services.table)).not.toContain('announced');
  await announceMissed(services, new Date(now.getTime() + 600_000));
  expect(await deliveriesOf(services.table, webhookId)).toHaveLength(2);
});

test('an endpoint gets no events from before it was added, or older than 29 days', async () => {
  const services = await openServices();
  const { table } = services;
  const late = await ended(table, hoursBefore(30), hoursBefore(29));
  const old = await ended(table, hoursBefore(29 * 24 + 1), hoursBefore(40 * 24));
  await announceMissed(services, now);
  expect(await deliveriesOf(table, late.webhookId)).toEqual([]);
  expect(await deliveriesOf(table, old.webhookId)).toEqual([]);
});

test('a failing item blocks no other, and is retried by each sweep until announced', async () => {
  const services = await openServices();
  const { table } = services;
  const broken = { pk: `TASK#${uuidv7()}`, sk: 'TASK', type: 'task', project_id: 'unreadable' };
  const at = hoursBefore(31).toISOString();
  for (let shard = 0; shard < 4; shard += 1) {
    const item = { ...broken, pk: `TASK#${shard}`, ...endedIndexAttributes(`000${shard}`, at) };
    await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
  }
  const { webhookId } = await ended(table, hoursBefore(30), hoursBefore(40));
  await expect(announceMissed(services, now)).rejects.toThrow('4 ended items could not be published');
  expect(await deliveriesOf(table, webhookId)).toHaveLength(2);
  await expect(announceMissed(services, now)).rejects.toThrow('4 ended items');
});
