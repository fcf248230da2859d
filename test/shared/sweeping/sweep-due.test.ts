import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { openQueue } from '#shared/aws/message-queue.ts';
import { CallMessage } from '#shared/calls/call-message.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { unknownRecording } from '#shared/domain/recording.ts';
import { RecordingMessage } from '#shared/recordings/recording-queue.ts';
import { type SweepServices, sweepDue } from '#shared/sweeping/sweep-due.ts';
import { createConversationWatchItem } from '#shared/table/conversation-watch.ts';
import { dueIndexAttributes } from '#shared/table/indexes.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { NoInputMessage } from '#shared/voice-agent/session/no-input-timer.ts';
import { DeliveryMessage } from '#shared/webhooks/delivery-queue.ts';
import { startEmbeddedQueues } from '../../support/embedded-queues.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleCall, sampleProject, sampleTask } from '../../support/sample-tasks.ts';
import { storedCallItems } from '../../support/stored-calls.ts';

const [tables, queues] = await Promise.all([
  forThisFile(startEmbeddedTable()),
  forThisFile(startEmbeddedQueues()),
]);

const at = new Date('2026-03-02T15:00:00.000Z');
const past = '2026-03-02T14:59:00.000Z';
const future = '2026-03-02T15:01:00.000Z';

async function services(name: string): Promise<SweepServices> {
  return {
    table: await tables.newTable(),
    callQueue: openQueue(queues.createQueue(`${name}-calls`), queues.sqs),
    recordingQueue: openQueue(queues.createQueue(`${name}-recordings`), queues.sqs),
    deliveryQueue: { url: queues.createQueue(`${name}-deliveries`), client: queues.sqs },
    watchQueue: { url: queues.createQueue(`${name}-watch`), client: queues.sqs },
    erasureQueue: { url: queues.createQueue(`${name}-erasures`), client: queues.sqs },
  };
}

test('every due item, and nothing else, becomes a message for its worker', async () => {
  const fixture = await services('all');
  const project = sampleProject();
  const due = Array.from({ length: 30 }, () => sampleTask(project, { next_attempt_at: past }));
  const later = sampleTask(project, { next_attempt_at: future });
  const calling = sampleTask(project, { next_attempt_at: null });
  const recorded = (due_at: string) => ({ ...unknownRecording, status: 'stored' as const, due_at });
  const dueCall = sampleCall(calling, { due_at: past, recording: recorded(future) });
  const laterCall = sampleCall(calling, { due_at: future, recording: recorded(past) });
  for (const task of [...due, later, calling])
    await writeTransaction(fixture.table, [createTaskItem(fixture.table, task)]);
  for (const call of [dueCall, laterCall])
    await writeTransaction(fixture.table, storedCallItems(fixture.table, call));
  for (const [call, until] of [
    [dueCall, past],
    [laterCall, future],
  ] as const) {
    const watch = { call_id: call.id, chain: uuidv7(), until };
    await writeTransaction(fixture.table, [createConversationWatchItem(fixture.table, watch)]);
  }
  const delivery = { pk: `WEBHOOK#${uuidv7()}`, sk: `DELIVERY#${past}#msg` };
  await fixture.table.client.send(
    new PutCommand({
      TableName: fixture.table.name,
      Item: { ...delivery, type: 'webhook-delivery', ...dueIndexAttributes(uuidv7(), past) },
    }),
  );

  await sweepDue(fixture, at);

  const messages = queues.messages('all-calls').map(({ body }) => CallMessage.parse(body));
  const dialed = messages.flatMap((message) => (message.kind === 'dial' ? [message.task_id] : []));
  expect(dialed.toSorted()).toEqual(due.map(({ id }) => id).toSorted());
  expect(messages.filter(({ kind }) => kind === 'call-due')).toEqual([
    { kind: 'call-due', task_id: calling.id, call_id: dueCall.id },
  ]);
  expect(queues.messages('all-recordings').map(({ body }) => RecordingMessage.parse(body))).toEqual([
    { task_id: calling.id, call_id: laterCall.id },
  ]);
  expect(queues.messages('all-watch').map(({ body }) => NoInputMessage.parse(body))).toEqual([
    { call_id: dueCall.id },
  ]);
  expect(queues.messages('all-deliveries').map(({ body }) => DeliveryMessage.parse(body))).toEqual([
    delivery,
  ]);
});

test('an unsent message is reported and does not block the rest', async () => {
  const fixture = await services('part');
  const project = sampleProject();
  const task = sampleTask(project, { next_attempt_at: past });
  await writeTransaction(fixture.table, [createTaskItem(fixture.table, task)]);
  await fixture.table.client.send(
    new PutCommand({
      TableName: fixture.table.name,
      Item: {
        pk: `WEBHOOK#${uuidv7()}`,
        sk: `DELIVERY#${past}#msg`,
        type: 'webhook-delivery',
        ...dueIndexAttributes(uuidv7(), past),
      },
    }),
  );
  const broken = {
    ...fixture,
    deliveryQueue: { ...fixture.deliveryQueue, url: `${fixture.deliveryQueue.url}-that-is-not-there` },
  };
  await expect(sweepDue(broken, at)).rejects.toThrow('1 due items could not be sent');
  expect(queues.messages('part-calls')).toHaveLength(1);
});
