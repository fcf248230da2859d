import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '#shared/domain/errors.ts';
import { deliver } from '#shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery-queue.ts';
import { replayDelivery, replayFailed } from '#shared/webhooks/replay.ts';
import { sendTestEvent } from '#shared/webhooks/test-event.ts';
import {
  type DeliveryFixture,
  only,
  type Receiver,
  type Subscriber,
  startDeliverySite,
  startReceiver,
} from '../../support/delivery-fixture.ts';
import { startTestServer } from '../../support/http-server.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { refusal } from '../../support/refusal.ts';

const site = await forThisFile(startDeliverySite());
let fixture: DeliveryFixture;
let receiver: Receiver;
beforeEach(async () => {
  fixture = await site.newFixture();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

/** A delivery that was attempted until it was given up. */
async function newFailed(subscriber: Subscriber): Promise<DeliveryMessage> {
  const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
  while ((await fixture.attemptNext(message)).status === 'pending');
  await fixture.receiveMessages();
  return message;
}

const conflict = expect.objectContaining({ code: 'conflict' });

describe('a replayed delivery', () => {
  test('keeps its ID, is due at once and restarts its schedule', async () => {
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = await newFailed(subscriber);
    const failed = await fixture.readDelivery(message);
    const endpoint = await fixture.readEndpoint(subscriber);
    await replayDelivery(fixture.services, endpoint, failed, { now: fixture.services.now() });
    expect(await fixture.receiveMessages()).toEqual([message]);

    expect(await fixture.attemptNext(message)).toMatchObject({
      id: failed.id,
      status: 'pending',
      attempt_count: 11,
      schedule_step: 1,
    });
    receiver.status = 200;
    expect(await fixture.attemptNext(message)).toMatchObject({ status: 'delivered', attempt_count: 12 });
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([failed.id]),
    );
  });

  test('may have been delivered, because receivers can lose data', async () => {
    receiver.status = 200;
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    const delivered = await fixture.attemptNext(message);
    await replayDelivery(fixture.services, await fixture.readEndpoint(subscriber), delivered, {
      now: fixture.services.now(),
    });
    expect(await fixture.attemptNext(message)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });

  test('is refused during an attempt, whose outcome would be lost', async () => {
    const arrived = Promise.withResolvers<() => void>();
    const slow = await startTestServer((_, response) => arrived.resolve(() => response.writeHead(200).end()));
    const subscriber = await fixture.newSubscriber(slow.origin);
    const message = only(await fixture.fanOut(fixture.callCompleted(subscriber)));
    const before = await fixture.readDelivery(message);
    const delivering = deliver(fixture.services, message);
    const response = await arrived.promise;
    const endpoint = await fixture.readEndpoint(subscriber);
    for (const delivery of [before, await fixture.readDelivery(message)]) {
      const refused = await refusal(
        replayDelivery(fixture.services, endpoint, delivery, { now: fixture.services.now() }),
      );
      expect(refused).toBeInstanceOf(ServiceError);
      expect(refused).toEqual(conflict);
    }
    response();
    await delivering;
    expect(await fixture.readDelivery(message)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    await slow.stop();
  });

  test('is refused while its endpoint is disabled', async () => {
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const failed = await fixture.readDelivery(await newFailed(subscriber));
    await fixture.changeSettings(subscriber, { enabled: false });
    const endpoint = await fixture.readEndpoint(subscriber);
    const now = fixture.services.now();
    expect(await refusal(replayDelivery(fixture.services, endpoint, failed, { now }))).toEqual(conflict);
    expect(await refusal(replayFailed(fixture.services, endpoint, now, now))).toEqual(conflict);
    expect(await refusal(sendTestEvent(fixture.services, endpoint, now))).toEqual(conflict);
  });
});

describe('replaying failed deliveries since a time', () => {
  test('resends those of later events, and nothing delivered or older', async () => {
    const subscriber = await fixture.newSubscriber(receiver.origin);
    await newFailed(subscriber);
    receiver.status = 200;
    fixture.pass(60);
    const since = fixture.services.now();
    await fixture.attemptNext(only(await fixture.fanOut(fixture.callCompleted(subscriber))));
    receiver.status = 500;
    const expected = await newFailed(subscriber);
    const endpoint = await fixture.readEndpoint(subscriber);
    expect(await replayFailed(fixture.services, endpoint, since, fixture.services.now())).toEqual({
      replayed: 1,
      next: null,
    });
    expect(await fixture.receiveMessages()).toEqual([expected]);
  });

  test('updates an endpoint that was disabled for a while', async () => {
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const since = fixture.services.now();
    await fixture.changeSettings(subscriber, { enabled: false });
    const events = [fixture.callCompleted(subscriber), fixture.callCompleted(subscriber)];
    for (const event of events) expect(await fixture.fanOut(event)).toEqual([]);
    await fixture.changeSettings(subscriber, { enabled: true });
    receiver.status = 200;
    await replayFailed(
      fixture.services,
      await fixture.readEndpoint(subscriber),
      since,
      fixture.services.now(),
    );
    const messages = await fixture.receiveMessages();
    for (const message of messages) await deliver(fixture.services, message);
    expect(receiver.requests.map(({ body }) => JSON.parse(body).call_id).sort()).toEqual(
      events.map(({ payload }) => payload.call_id).sort(),
    );
  });

  test('does a bounded part at a time and continues where it stopped', async () => {
    const subscriber = await fixture.newSubscriber(receiver.origin);
    const since = fixture.services.now();
    await fixture.changeSettings(subscriber, { enabled: false });
    for (let count = 0; count < 250; count += 1) {
      await fixture.fanOut(fixture.callCompleted(subscriber));
      fixture.pass(1);
    }
    await fixture.changeSettings(subscriber, { enabled: true });
    const endpoint = await fixture.readEndpoint(subscriber);
    const now = fixture.services.now();
    const first = await replayFailed(fixture.services, endpoint, since, now);
    expect(first).toMatchObject({ replayed: 200, next: expect.any(String) });
    expect(await replayFailed(fixture.services, endpoint, first.next ?? '', now)).toEqual({
      replayed: 50,
      next: null,
    });
    expect(new Set((await fixture.receiveMessages()).map(({ sk }) => sk)).size).toBe(250);
  });
});

describe('a test event', () => {
  test('arrives whatever events the endpoint selects, with the four members and no real task', async () => {
    receiver.status = 204;
    const subscriber = await fixture.newSubscriber(receiver.origin, ['task.completed']);
    const delivery = await sendTestEvent(fixture.services, subscriber.endpoint, fixture.services.now());
    expect(await fixture.attemptNext(only(await fixture.receiveMessages()))).toMatchObject({
      status: 'delivered',
    });
    const [request] = receiver.requests;
    expect(JSON.parse(request?.body ?? '')).toEqual({
      event: 'webhook.test',
      task_id: delivery.payload.task_id,
      call_id: null,
      timestamp: fixture.services.now().toISOString(),
    });
    expect(request?.headers['webhook-id']).toBe(delivery.id);
  });
});
