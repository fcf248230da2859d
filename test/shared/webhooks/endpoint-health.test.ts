import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { acquireWebhookSlot } from '#shared/table/webhook-slot.ts';
import { deliver } from '#shared/webhooks/deliver.ts';
import { type DeliveryFixture, only, startDeliverySite } from '../../support/delivery-fixture.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { startReceiver, status } from './answering-receiver.ts';

const hour = 60 * 60;
const day = 24 * hour;

const site = await forThisFile(startDeliverySite());
let fixture: DeliveryFixture;
beforeEach(async () => {
  fixture = await site.newFixture();
});

describe('an endpoint', () => {
  test('that returns 410 is disabled with the reason, and its deliveries are not retried', async () => {
    const receiver = await startReceiver(status(410));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    expect(await fixture.attemptNext(message)).toMatchObject({ status: 'failed', due_at: null });
    expect(await fixture.readEndpoint(subscriber)).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
      disabled_at: fixture.services.now().toISOString(),
    });
  });

  test('that fails for five days is disabled, and its owner sees since when and why', async () => {
    const receiver = await startReceiver(status(500));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const first = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    await fixture.attemptNext(first);
    const { failing_since } = await fixture.readEndpoint(subscriber);
    expect(failing_since).not.toBeNull();

    fixture.pass(5 * day - hour);
    await fixture.attemptNext(only(await fixture.fanOut(fixture.callCompleted(subscriber))));
    expect(await fixture.readEndpoint(subscriber)).toMatchObject({ enabled: true, failing_since });

    fixture.pass(2 * hour);
    await fixture.attemptNext(only(await fixture.fanOut(fixture.callCompleted(subscriber))));
    expect(await fixture.readEndpoint(subscriber)).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
      disabled_at: fixture.services.now().toISOString(),
      failing_since,
    });
    const { table } = fixture.services;
    const { items } = await listAuditEntries(table, subscriber.endpoint.project_id, {
      limit: 10,
      before: null,
    });
    expect(items.filter(({ actor }) => actor.kind === 'service')).toMatchObject([
      {
        action: 'webhook.disabled',
        target: { type: 'webhook', id: subscriber.endpoint.id },
        before: { enabled: true, disabled_reason: null },
        after: { enabled: false, disabled_reason: 'failing' },
      },
    ]);
  });

  test('recovers with one success, however long it has failed', async () => {
    const receiver = await startReceiver(status(500), status(200), status(500));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    await fixture.attemptNext(only(await fixture.fanOut(fixture.callCompleted(subscriber))));
    fixture.pass(6 * day);
    await fixture.attemptNext(only(await fixture.fanOut(fixture.callCompleted(subscriber))));
    expect(await fixture.readEndpoint(subscriber)).toMatchObject({ enabled: true, failing_since: null });
    await fixture.attemptNext(only(await fixture.fanOut(fixture.callCompleted(subscriber))));
    expect(await fixture.readEndpoint(subscriber)).toMatchObject({ enabled: true });
    expect((await fixture.readEndpoint(subscriber)).failing_since).not.toBeNull();
  });

  test("edited during an attempt keeps its owner's changes", async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    const receiver = await startReceiver((response) => arrived.resolve(response));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    const delivering = deliver(fixture.services, message);
    const response = await arrived.promise;
    await fixture.changeSettings(subscriber, { description: 'edited meanwhile' });
    response.writeHead(500).end();
    await delivering;
    const endpoint = await fixture.readEndpoint(subscriber);
    expect(endpoint.description).toBe('edited meanwhile');
    expect(endpoint.failing_since).not.toBeNull();
    expect(await fixture.readDelivery(message)).toMatchObject({ attempt_count: 1, status: 'pending' });
  });

  test.each([410, 500])(
    'moved to another address during an attempt is not judged by its %i',
    async (code) => {
      const arrived = Promise.withResolvers<ServerResponse>();
      const receiver = await startReceiver((response) => arrived.resolve(response));
      const subscriber = await fixture.newSubscriber(receiver.origin);
      const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
      const delivering = deliver(fixture.services, message);
      const response = await arrived.promise;
      await fixture.changeSettings(subscriber, { url: `${receiver.origin}/new` });
      response.writeHead(code).end();
      await delivering;
      expect(await fixture.readEndpoint(subscriber)).toMatchObject({ enabled: true, failing_since: null });
      expect(await fixture.readDelivery(message)).toMatchObject({
        attempt_count: 1,
        last_attempt: { status_code: code },
      });
    },
  );
});

describe('a hanging endpoint', () => {
  test('has at most ten concurrent attempts, so others are served, and one while it fails', async () => {
    const held: ServerResponse[] = [];
    const tenArrived = Promise.withResolvers<void>();
    const eleventhArrived = Promise.withResolvers<void>();
    const slow = await startReceiver((response) => {
      held.push(response);
      if (held.length === 10) tenArrived.resolve();
      if (held.length === 11) eleventhArrived.resolve();
    });
    const fast = await startReceiver(status(200));
    const [slowSubscriber, fastSubscriber] = [
      await fixture.newSubscriber(slow.origin),
      await fixture.newSubscriber(fast.origin),
    ];
    const slowMessages = [];
    for (let count = 0; count < 30; count += 1) {
      slowMessages.push(only(await fixture.fanOut(fixture.callCompleted(slowSubscriber))));
    }
    // Postponed deliveries end immediately; the ten in progress end when the receiver responds.
    let ended = 0;
    const postponed = Promise.withResolvers<void>();
    const delivering = slowMessages.map(async (message) => {
      await deliver(fixture.services, message);
      ended += 1;
      if (ended === 20) postponed.resolve();
    });
    await Promise.all([tenArrived.promise, postponed.promise]);
    expect(held).toHaveLength(10);

    for (let count = 0; count < 5; count += 1) {
      const message = only(await fixture.fanOut(fixture.callCompleted(fastSubscriber)));
      expect(await fixture.attemptNext(message)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    }

    for (const response of held) response.destroy();
    await Promise.all(delivering);
    const deliveries = await Promise.all(slowMessages.map((message) => fixture.readDelivery(message)));
    expect(deliveries.filter(({ attempt_count }) => attempt_count === 1)).toHaveLength(10);
    // Waiting for a turn is not an attempt.
    expect(
      deliveries.filter(({ attempt_count, status }) => attempt_count === 0 && status === 'pending'),
    ).toHaveLength(20);
    expect((await fixture.readEndpoint(slowSubscriber)).failing_since).not.toBeNull();

    fixture.pass(30);
    const again = slowMessages.map((message) => deliver(fixture.services, message));
    await eleventhArrived.promise;
    held.at(-1)?.writeHead(200).end();
    await Promise.all(again);
    expect(held).toHaveLength(11);
  });

  test('regains the slot of a dead worker', async () => {
    const receiver = await startReceiver(status(500), status(200));
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    await fixture.attemptNext(message);
    const slot = await acquireWebhookSlot(fixture.services.table, subscriber.endpoint.id, {
      count: 1,
      leaseSeconds: 60,
      now: fixture.services.now(),
    });
    expect(slot).not.toBeNull();
    expect(await fixture.attemptNext(message)).toMatchObject({ status: 'pending', attempt_count: 1 });
    fixture.pass(60);
    expect(await fixture.attemptNext(message)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });
});
