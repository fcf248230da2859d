import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { WebhookDelivery, WebhookEventName } from '#shared/domain/webhook.ts';
import { createProject } from '#shared/projects/create-project.ts';
import type { Table } from '#shared/table/client.ts';
import { getWebhookDelivery, replaceWebhookDelivery } from '#shared/table/webhook-delivery.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import type { ProjectEvent } from '#shared/webhooks/completed-event.ts';
import { deliver } from '#shared/webhooks/deliver.ts';
import { DeliveryMessage, type DeliveryQueue } from '#shared/webhooks/delivery-queue.ts';
import { fanOut } from '#shared/webhooks/fan-out.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';

let embedded: EmbeddedTable;
let queues: Awaited<ReturnType<typeof startFauxqs>>;
let sqs: SQSClient;
let table: Table;
let queue: DeliveryQueue;

beforeAll(async () => {
  embedded = await startEmbeddedTable();
  queues = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  sqs = new SQSClient({
    endpoint: queues.address,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});

afterAll(async () => {
  sqs.destroy();
  await queues.stop();
  await embedded.stop();
});

beforeEach(async () => {
  table = await embedded.newTable();
  queue = { url: queues.createQueue(`delivery-${uuidv7()}`).queueUrl, client: sqs };
});

interface Received {
  readonly body: string;
  readonly headers: Record<string, string>;
}

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

/** A receiver that answers as told and remembers what it got. */
async function startReceiver(answer: RequestListener): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ body, headers: request.headers as Record<string, string> });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

async function projectWith(url: string, events: WebhookEventName[] = ['call.completed', 'task.completed']) {
  const { project, webhook } = await createProject(table, {
    name: 'Test',
    carrier: 'sandbox',
    webhook: { url, events },
  });
  if (webhook === null) throw new Error('no webhook');
  return { projectId: project.id, webhook };
}

function callCompleted(projectId: string): ProjectEvent {
  return {
    projectId,
    payload: {
      event: 'call.completed',
      task_id: uuidv7(),
      call_id: uuidv7(),
      timestamp: '2026-11-23T15:00:00.000Z',
    },
  };
}

async function receiveMessages(): Promise<DeliveryMessage[]> {
  const messages: DeliveryMessage[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: queue.url, MaxNumberOfMessages: 10 }),
    );
    if (Messages.length === 0) return messages;
    for (const { Body = '', ReceiptHandle } of Messages) {
      messages.push(DeliveryMessage.parse(JSON.parse(Body)));
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queue.url, ReceiptHandle }));
    }
  }
}

async function readDelivery(message: DeliveryMessage | undefined): Promise<WebhookDelivery> {
  const delivery = message === undefined ? null : await getWebhookDelivery(table, message);
  if (delivery === null) throw new Error('no delivery');
  return delivery;
}

/** Lets the wait until the next attempt pass, as the clock would. */
async function makeDue(message: DeliveryMessage): Promise<void> {
  const delivery = await readDelivery(message);
  await replaceWebhookDelivery(table, delivery, { ...delivery, due_at: new Date().toISOString() });
}

describe('fan-out', () => {
  test('makes one delivery per endpoint and event with the same id however often the stream is replayed', async () => {
    const { projectId } = await projectWith('https://example.com/hook');
    const event = callCompleted(projectId);
    for (let replay = 0; replay < 3; replay += 1) await fanOut(table, queue, event, new Date());
    const messages = await receiveMessages();
    expect(messages).toHaveLength(3);
    expect(new Set(messages.map((message) => `${message.pk} ${message.sk}`)).size).toBe(1);
    expect((await readDelivery(messages[0])).id).toMatch(/^msg_[0-9a-f]{32}$/);
  });

  test('leaves out endpoints that did not select the event', async () => {
    const { projectId } = await projectWith('https://example.com/hook', ['task.completed']);
    await fanOut(table, queue, callCompleted(projectId), new Date());
    expect(await receiveMessages()).toEqual([]);
  });
});

describe('a delivery', () => {
  test('is signed so that the public library verifies it, and holds the four members only', async () => {
    const receiver = await startReceiver((_, response) => response.writeHead(204).end());
    const { projectId, webhook } = await projectWith(receiver.url);
    const event = callCompleted(projectId);
    await fanOut(table, queue, event, new Date());
    const [message] = await receiveMessages();
    if (message === undefined) throw new Error('no message');
    await deliver(table, queue, message);

    const [got] = receiver.received;
    if (got === undefined) throw new Error('nothing received');
    expect(JSON.parse(got.body)).toEqual(event.payload);
    const verifier = new Webhook(webhook.signing_secret);
    expect(verifier.verify(got.body, got.headers)).toEqual(event.payload);
    expect(() => verifier.verify(`${got.body} `, got.headers)).toThrow();
    expect(await readDelivery(message)).toMatchObject({
      status: 'delivered',
      due_at: null,
      attempts: [{ status_code: 204, error: null }],
    });
  });

  test('is attempted once for any number of messages about it', async () => {
    const receiver = await startReceiver((_, response) => response.writeHead(200).end());
    const { projectId } = await projectWith(receiver.url);
    await fanOut(table, queue, callCompleted(projectId), new Date());
    const [message] = await receiveMessages();
    if (message === undefined) throw new Error('no message');
    await Promise.all(Array.from({ length: 20 }, () => deliver(table, queue, message)));
    expect(receiver.received).toHaveLength(1);
  });

  test.each([
    ['500', (response: Parameters<RequestListener>[1]) => response.writeHead(500).end()],
    [
      'a redirect',
      (response: Parameters<RequestListener>[1]) => response.writeHead(302, { location: '/' }).end(),
    ],
    ['a closed connection', (response: Parameters<RequestListener>[1]) => response.destroy()],
  ])('that meets %s is tried again with the same id, until it is accepted', async (_, fail) => {
    let answers = 0;
    const receiver = await startReceiver((_request, response) => {
      answers += 1;
      if (answers < 3) fail(response);
      else response.writeHead(200).end();
    });
    const { projectId } = await projectWith(receiver.url);
    await fanOut(table, queue, callCompleted(projectId), new Date());
    const [message] = await receiveMessages();
    if (message === undefined) throw new Error('no message');
    await deliver(table, queue, message);
    const failed = await readDelivery(message);
    expect(failed).toMatchObject({ status: 'pending', attempts: [{}] });
    const waitMs = Date.parse(String(failed.due_at)) - Date.now();
    expect(waitMs).toBeGreaterThan(1_000);
    expect(waitMs).toBeLessThan(6_100);

    await makeDue(message);
    await deliver(table, queue, message);
    await makeDue(message);
    await deliver(table, queue, message);
    expect((await readDelivery(message)).status).toBe('delivered');
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size).toBe(1);
  });

  test('is given up after ten attempts, which stay on record', async () => {
    const receiver = await startReceiver((_, response) => response.writeHead(503).end());
    const { projectId } = await projectWith(receiver.url);
    await fanOut(table, queue, callCompleted(projectId), new Date());
    const [message] = await receiveMessages();
    if (message === undefined) throw new Error('no message');
    while ((await readDelivery(message)).status === 'pending') {
      await deliver(table, queue, message);
      if ((await readDelivery(message)).due_at !== null) await makeDue(message);
    }
    const { status, attempts } = await readDelivery(message);
    expect(status).toBe('failed');
    expect(attempts.map((attempt) => attempt.status_code)).toEqual(Array(10).fill(503));
  });

  test('answered 410 is not tried again, and its endpoint is switched off with the reason', async () => {
    const receiver = await startReceiver((_, response) => response.writeHead(410).end());
    const { projectId, webhook } = await projectWith(receiver.url);
    await fanOut(table, queue, callCompleted(projectId), new Date());
    const [message] = await receiveMessages();
    if (message === undefined) throw new Error('no message');
    await deliver(table, queue, message);
    expect(await readDelivery(message)).toMatchObject({ status: 'failed', due_at: null });
    expect(await getWebhookEndpoint(table, projectId, webhook.id)).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
    });
  });
});
