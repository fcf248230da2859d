import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { findDue } from '#shared/table/due.ts';
import { queryPrefix } from '#shared/table/query-pages.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { listRecordedAttempts, replaceWebhookDelivery } from '#shared/table/webhook-delivery.ts';
import { removeWebhookEndpointItems } from '#shared/table/webhook-endpoint.ts';
import { restarted, taken } from '#shared/webhooks/after-attempt.ts';
import { deliver } from '#shared/webhooks/deliver.ts';
import { type DeliveryFixture, only, startDeliverySite } from '../../support/delivery-fixture.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { type Answer, startReceiver, status } from './answering-receiver.ts';

const site = await forThisFile(startDeliverySite());
let fixture: DeliveryFixture;
beforeEach(async () => {
  fixture = await site.newFixture();
});

describe('fan-out', () => {
  test('creates one delivery per endpoint and event with the same ID on every replay of the stream', async () => {
    const event = fixture.callCompleted(await fixture.newSubscriber('https://example.com/hook'));
    const messages = [];
    for (let replay = 0; replay < 3; replay += 1) messages.push(...(await fixture.fanOut(event)));
    expect(messages).toHaveLength(3);
    expect(new Set(messages.map((message) => `${message.pk} ${message.sk}`)).size).toBe(1);
    expect((await fixture.readDelivery(messages[0])).id).toMatch(/^msg_[0-9a-f]{32}$/);
  });

  test('skips endpoints that did not select the event', async () => {
    const subscriber = await fixture.newSubscriber('https://example.com/hook', ['task.completed']);
    expect(await fixture.fanOut(fixture.callCompleted(subscriber))).toEqual([]);
  });

  test('only enqueues, so a hanging endpoint cannot block it', async () => {
    const receiver = await startReceiver(() => undefined);
    const subscriber = await fixture.newSubscriber(receiver.origin);
    for (let count = 0; count < 5; count += 1) {
      expect(await fixture.fanOut(fixture.callCompleted(subscriber))).toHaveLength(1);
    }
    expect(receiver.requests).toEqual([]);
  });
});

describe('a delivery', () => {
  test('verifies with the public library, and has only the four members', async () => {
    const receiver = await startReceiver(status(204));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const event = fixture.callCompleted(subscriber);
    const message = only(await fixture.fanOut(event));
    await deliver(fixture.services, message);

    const [got] = receiver.requests;
    if (got === undefined) throw new Error('nothing received');
    const headers = Object.fromEntries(
      Object.entries(got.headers).map(([name, value]) => [name, String(value)]),
    );
    expect(JSON.parse(got.body)).toEqual(event.payload);
    expect(Object.keys(JSON.parse(got.body)).sort()).toEqual(['call_id', 'event', 'task_id', 'timestamp']);
    const verifier = new Webhook(subscriber.signingSecret);
    expect(verifier.verify(got.body, headers)).toEqual(event.payload);
    expect(() => verifier.verify(`${got.body} `, headers)).toThrow();
    expect(await fixture.readDelivery(message)).toMatchObject({
      status: 'delivered',
      due_at: null,
      attempt_count: 1,
      last_attempt: { status_code: 204, error: null },
    });
  });

  test.each([
    ['a short', 'thanks', 1],
    ['a long', 'thanks '.repeat(200), 2],
  ])(
    'accepted at once with %s response keeps it, sealed and in as few items as fit',
    async (_, text, items) => {
      const receiver = await startReceiver((response) => void response.writeHead(200).end(text));
      const subscriber = await fixture.newSubscriber(receiver.origin);
      const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
      await deliver(fixture.services, message);
      const { table } = fixture.services;
      const delivery = await fixture.readDelivery(message);
      expect(delivery).toMatchObject({
        status: 'delivered',
        due_at: null,
        swept_at: null,
        taken_until: null,
      });
      const [attempt, ...others] = await listRecordedAttempts(table, delivery, fixture.services.now());
      expect(others).toEqual([]);
      expect(attempt).toMatchObject({ number: 1, status_code: 200, response: { body: text } });
      const own = await queryPrefix(table, `DELIVERY#${delivery.id}`, 'ATTEMPT#');
      expect(own).toHaveLength(items - 1);
    },
  );

  test('sent again keeps its first attempt beside the later ones', async () => {
    const receiver = await startReceiver(status(200), status(500), status(200));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    await deliver(fixture.services, message);
    const { table, now } = fixture.services;
    const delivered = await fixture.readDelivery(message);
    expect(await replaceWebhookDelivery(table, delivered, restarted(delivered, now()))).toBe(true);
    await deliver(fixture.services, message);
    await fixture.attemptNext(message);
    const attempts = await listRecordedAttempts(table, await fixture.readDelivery(message), now());
    expect(attempts.map(({ number, status_code }) => [number, status_code])).toEqual([
      [3, 200],
      [2, 500],
      [1, 200],
    ]);
  });

  test('whose message was lost is swept, and whose worker died is due again', async () => {
    const receiver = await startReceiver(status(200));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    const { table, now } = fixture.services;
    const sweptAfter = async (seconds: number): Promise<boolean> => {
      const at = new Date(now().getTime() + seconds * 1000).toISOString();
      for await (const page of findDue(table, at)) if (page.some(({ sk }) => sk === message.sk)) return true;
      return false;
    };
    expect([await sweptAfter(89), await sweptAfter(90)]).toEqual([false, true]);
    const created = await fixture.readDelivery(message);
    expect(await replaceWebhookDelivery(table, created, taken(created, now()))).toBe(true);
    expect(await replaceWebhookDelivery(table, created, taken(created, now()))).toBe(false);
    await deliver(fixture.services, message);
    expect(receiver.requests).toEqual([]);
    expect(await sweptAfter(90)).toBe(true);
    expect((await fixture.attemptNext(message)).status).toBe('delivered');
    expect(await sweptAfter(1000)).toBe(false);
  });

  test('is attempted once for any number of messages', async () => {
    const receiver = await startReceiver(status(200));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    await Promise.all(Array.from({ length: 20 }, () => deliver(fixture.services, message)));
    expect(receiver.requests).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['400', status(400)],
    ['500', status(500)],
    ['301', status(301, { Location: '/' })],
    ['302', status(302, { Location: '/' })],
    ['a closed connection', (response) => void response.destroy()],
  ])('that meets %s is retried with the same ID, until accepted', async (_, fail) => {
    const receiver = await startReceiver(fail, fail, status(200));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    await deliver(fixture.services, message);
    const failed = await fixture.readDelivery(message);
    expect(failed).toMatchObject({ status: 'pending', attempt_count: 1, schedule_step: 1 });
    expect(Date.parse(String(failed.due_at)) - fixture.services.now().getTime()).toBe(5_000);

    await fixture.attemptNext(message);
    expect((await fixture.attemptNext(message)).status).toBe('delivered');
    expect(receiver.requests).toHaveLength(3);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('goes through the whole schedule, then fails, with every attempt on record', async () => {
    const receiver = await startReceiver((response) => void response.writeHead(500).end('no'));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    const startedMs = fixture.services.now().getTime();
    const dueSeconds: number[] = [];
    let delivery = await fixture.attemptNext(message);
    while (delivery.status === 'pending') {
      dueSeconds.push((Date.parse(String(delivery.due_at)) - startedMs) / 1000);
      delivery = await fixture.attemptNext(message);
    }
    expect(dueSeconds.map((at, index) => at - (dueSeconds[index - 1] ?? 0))).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ]);
    expect(delivery).toMatchObject({ status: 'failed', attempt_count: 10, due_at: null });
    const attempts = await listRecordedAttempts(fixture.services.table, delivery, fixture.services.now());
    expect(attempts.map(({ number }) => number)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const monthLater = new Date(fixture.services.now().getTime() + 31 * 24 * 60 * 60 * 1000);
    expect(await listRecordedAttempts(fixture.services.table, delivery, monthLater)).toEqual([]);
    expect(attempts.every(({ response }) => response?.body === 'no')).toBe(true);
  });

  test.each([429, 503])('answered %i waits as long as the receiver asks', async (code) => {
    const receiver = await startReceiver(status(code, { 'Retry-After': '600' }));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    const { due_at } = await fixture.attemptNext(message);
    expect(Date.parse(String(due_at)) - fixture.services.now().getTime()).toBe(600_000);
  });

  test('that is pending to a deleted endpoint fails without a further attempt', async () => {
    const receiver = await startReceiver(status(500));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const [untried, tried] = [
      only(await fixture.fanOut(fixture.callCompleted(subscriber))),
      only(await fixture.fanOut(fixture.callCompleted(subscriber))),
    ];
    await deliver(fixture.services, tried);
    const { table } = fixture.services;
    const endpoint = await fixture.readEndpoint(subscriber);
    await writeTransaction(table, removeWebhookEndpointItems(table, endpoint, new Date()));
    for (const [message, attempt_count] of [
      [untried, 0],
      [tried, 1],
    ] as const) {
      expect(await fixture.attemptNext(message)).toMatchObject({
        status: 'failed',
        due_at: null,
        taken_until: null,
        attempt_count,
      });
    }
    expect(receiver.requests).toHaveLength(1);
    expect(await fixture.fanOut(fixture.callCompleted(subscriber))).toEqual([]);
  });

  test('in progress during the deletion of its endpoint is settled, and not retried', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    const receiver = await startReceiver((response) => arrived.resolve(response));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    const delivering = deliver(fixture.services, message);
    const response = await arrived.promise;
    const { table } = fixture.services;
    const endpoint = await fixture.readEndpoint(subscriber);
    await writeTransaction(table, removeWebhookEndpointItems(table, endpoint, new Date()));
    response.writeHead(500).end();
    await delivering;
    expect(await fixture.readDelivery(message)).toMatchObject({ status: 'pending', attempt_count: 1 });
    expect(await fixture.attemptNext(message)).toMatchObject({ status: 'failed', attempt_count: 1 });
    expect(receiver.requests).toHaveLength(1);
  });

  test('to a disabled endpoint fails without an attempt', async () => {
    const receiver = await startReceiver(status(200));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    await fixture.changeSettings(subscriber, { enabled: false });
    expect(await fixture.attemptNext(message)).toMatchObject({
      status: 'failed',
      due_at: null,
      attempt_count: 0,
    });
    expect(await fixture.fanOut(fixture.callCompleted(subscriber))).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });
});
