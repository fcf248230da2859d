import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WebhookEventName } from '#shared/domain/webhook.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { createCallItem, deleteCall, listCalls } from '#shared/table/call.ts';
import { createTaskItem, deleteTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { listRecordedAttempts } from '#shared/table/webhook-delivery.ts';
import { TaskResource } from '#shared/tasks/task-resource.ts';
import { deliver } from '#shared/webhooks/deliver.ts';
import { taskEnd } from '#shared/webhooks/events.ts';
import { sendTestEvent } from '#shared/webhooks/test-event.ts';
import { capturedLog } from '../../support/captured-log.ts';
import {
  type DeliveryFixture,
  type DeliverySite,
  only,
  type Subscriber,
  startDeliverySite,
} from '../../support/delivery-fixture.ts';
import { startTestServer, type TestServer } from '../../support/http-server.ts';
import { sampleCall, sampleResult, sampleTask } from '../../support/sample-tasks.ts';

const secret = 'Asked about the migraine of Rosalind Example';

let site: DeliverySite;
let fixture: DeliveryFixture;
let receiver: TestServer;
let status = 200;

beforeAll(async () => {
  site = await startDeliverySite();
  // Echoes its requests, as some receivers do.
  receiver = await startTestServer((request, response) => void response.writeHead(status).end(request.body));
});
afterAll(async () => {
  await receiver.stop();
  await site.stop();
});
beforeEach(async () => {
  fixture = await site.newFixture();
  receiver.requests.length = 0;
  status = 200;
});

async function subscriberWith(settings: {
  events?: WebhookEventName[];
  payload?: 'full' | 'minimal';
}): Promise<Subscriber> {
  const subscriber = await fixture.newSubscriber(receiver.origin);
  await fixture.changeSettings(subscriber, settings);
  return subscriber;
}

/** A finished task of the subscriber's project with one call. */
async function finishedTask({ endpoint }: Subscriber) {
  const { table, now } = fixture.services;
  const running = sampleTask(
    { id: endpoint.project_id },
    { external_id: 'visit-7', metadata: { ward: 'B' } },
  );
  const call = sampleCall(running, { status: 'SUCCESS', call_outcome: secret, result: sampleResult() });
  const task = {
    ...running,
    status: 'COMPLETED' as const,
    attempts: 1,
    task_outcome: secret,
    last_call_id: call.id,
    result: sampleResult({ summary: secret }),
    updated_at: now().toISOString(),
  };
  await writeTransaction(table, [createTaskItem(table, task), createCallItem(table, call)]);
  return task;
}

const lastBody = () => JSON.parse(receiver.requests.at(-1)?.body ?? '');

describe('an endpoint that chose the whole task', () => {
  test("gets it in the API's format, signed, and audited", async () => {
    const subscriber = await subscriberWith({ payload: 'full' });
    const task = await finishedTask(subscriber);
    const event = taskEnd(task, 'task.completed');
    await deliver(fixture.services, only(await fixture.fanOut(event)));

    const { task: sent, ...rest } = lastBody();
    expect(rest).toEqual({ ...event.payload, sequence: 15 });
    expect(TaskResource.parse(sent)).toEqual(sent);
    expect(sent).toMatchObject({
      id: task.id,
      external_id: 'visit-7',
      metadata: { ward: 'B' },
      task_outcome: secret,
      result: { summary: secret },
      calls: [{ call_outcome: secret, recording_url: null }],
      has_more_calls: false,
    });
    const [request] = receiver.requests;
    const headers = Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(subscriber.signingSecret).verify(request?.body ?? '', headers)).toEqual(lastBody());

    const { items } = await listAuditEntries(fixture.services.table, task.project_id, {
      limit: 10,
      before: null,
    });
    expect(items).toContainEqual(
      expect.objectContaining({
        action: 'task.sent',
        actor: { kind: 'service', function: 'webhook-delivery' },
        target: { type: 'task', id: task.id },
        after: { webhook_id: subscriber.endpoint.id },
        patient_ids: [task.patient_id],
      }),
    );
  });

  test('is kept out of queue, delivery, attempts and log, even if echoed', async () => {
    const subscriber = await subscriberWith({ payload: 'full' });
    const task = await finishedTask(subscriber);
    const messages = await fixture.fanOut(taskEnd(task, 'task.completed'));
    const lines = await capturedLog(() => deliver(fixture.services, only(messages)));
    expect(receiver.requests.at(-1)?.body).toContain(secret);
    const delivery = await fixture.readDelivery(messages[0]);
    const attempts = await listRecordedAttempts(fixture.services.table, delivery, fixture.services.now());
    expect(attempts).toMatchObject([{ status_code: 200, response: { body: '', truncated: true } }]);
    for (const kept of [messages, delivery, attempts, lines]) {
      expect(JSON.stringify(kept)).not.toContain('Rosalind');
    }
  });

  test("has the task's state at each attempt, and only IDs after a change of the setting", async () => {
    const subscriber = await subscriberWith({ payload: 'full' });
    const task = await finishedTask(subscriber);
    status = 500;
    const message = only(await fixture.fanOut(taskEnd(task, 'task.completed')));
    await fixture.attemptNext(message);
    expect(lastBody().task.id).toBe(task.id);
    await fixture.changeSettings(subscriber, { payload: 'minimal' });
    await fixture.attemptNext(message);
    expect(lastBody()).toEqual(taskEnd(task, 'task.completed').payload);
    await fixture.changeSettings(subscriber, { payload: 'full' });
    const { table } = fixture.services;
    for (const call of await listCalls(table, task.id)) await deleteCall(table, call);
    await writeTransaction(table, [deleteTaskItem(table, task.id)]);
    await fixture.attemptNext(message);
    expect(lastBody().task).toBeNull();
  });

  test("is never sent another project's task", async () => {
    const [subscriber, other] = [await subscriberWith({ payload: 'full' }), await subscriberWith({})];
    const foreign = taskEnd(await finishedTask(other), 'task.completed');
    const message = only(await fixture.fanOut({ ...foreign, projectId: subscriber.endpoint.project_id }));
    await deliver(fixture.services, message);
    expect(lastBody().task).toBeNull();
  });

  test('gets a test event in the same format', async () => {
    const subscriber = await subscriberWith({ payload: 'full' });
    const endpoint = await fixture.readEndpoint(subscriber);
    await sendTestEvent(fixture.services, endpoint, fixture.services.now());
    await deliver(fixture.services, only(await fixture.receiveMessages()));
    expect(lastBody()).toMatchObject({ event: 'webhook.test', sequence: 0, task: null });
  });
});

describe('the sequence', () => {
  test('is sent to an endpoint that selects more than the two usual events, also with these', async () => {
    const subscriber = await subscriberWith({ events: ['task.completed', 'call.started'] });
    const event = taskEnd(await finishedTask(subscriber), 'task.completed');
    await deliver(fixture.services, only(await fixture.fanOut(event)));
    expect(lastBody()).toEqual({ ...event.payload, sequence: 15 });
  });

  test('is not sent to others', async () => {
    const subscriber = await subscriberWith({});
    const event = taskEnd(await finishedTask(subscriber), 'task.completed');
    await deliver(fixture.services, only(await fixture.fanOut(event)));
    expect(receiver.requests.at(-1)?.body).toBe(JSON.stringify(event.payload));
  });
});
