import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '#shared/domain/errors.ts';
import { deliver } from '#shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery-queue.ts';
import { replayDelivery, replayFailed } from '#shared/webhooks/replay.ts';
import { sendTestEvent } from '#shared/webhooks/test-event.ts';
import {
  type DeliverySite,
  type DeliveryWorld,
  only,
  type Receiver,
  type Subscriber,
  startDeliverySite,
  startReceiver,
} from '../../support/delivery-world.ts';
import { startTestServer } from '../../support/http-server.ts';
import { refusal } from '../../support/refusal.ts';

let site: DeliverySite;
let world: DeliveryWorld;
let receiver: Receiver;

beforeAll(async () => {
  site = await startDeliverySite();
});
afterAll(() => site.stop());
beforeEach(async () => {
  world = await site.newWorld();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

/** A delivery that was attempted until it was given up. */
async function newFailed(subscriber: Subscriber): Promise<DeliveryMessage> {
  const message = only(await world.announce(world.callCompleted(subscriber)));
  while ((await world.attemptNext(message)).status === 'pending');
  await world.receiveMessages();
  return message;
}

const conflict = expect.objectContaining({ code: 'conflict' });

describe('a delivery that is replayed', () => {
  test('keeps its id, is due at once and has the whole schedule before it', async () => {
    const subscriber = await world.newSubscriber(receiver.origin);
    const message = await newFailed(subscriber);
    const failed = await world.readDelivery(message);
    const endpoint = await world.readEndpoint(subscriber);
    await replayDelivery(world.services, endpoint, failed, { now: world.services.now() });
    expect(await world.receiveMessages()).toEqual([message]);

    expect(await world.attemptNext(message)).toMatchObject({
      id: failed.id,
      status: 'pending',
      attempt_count: 11,
      schedule_step: 1,
    });
    receiver.status = 200;
    expect(await world.attemptNext(message)).toMatchObject({ status: 'delivered', attempt_count: 12 });
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([failed.id]),
    );
  });

  test('may have been delivered, because a receiver can lose what it accepted', async () => {
    receiver.status = 200;
    const subscriber = await world.newSubscriber(receiver.origin);
    const message = only(await world.announce(world.callCompleted(subscriber)));
    const delivered = await world.attemptNext(message);
    await replayDelivery(world.services, await world.readEndpoint(subscriber), delivered, {
      now: world.services.now(),
    });
    expect(await world.attemptNext(message)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });

  test('is refused while an attempt is under way, whose outcome would be lost', async () => {
    const arrived = Promise.withResolvers<() => void>();
    const slow = await startTestServer((_, response) => arrived.resolve(() => response.writeHead(200).end()));
    const subscriber = await world.newSubscriber(slow.origin);
    const message = only(await world.announce(world.callCompleted(subscriber)));
    const before = await world.readDelivery(message);
    const delivering = deliver(world.services, message);
    const answer = await arrived.promise;
    const endpoint = await world.readEndpoint(subscriber);
    for (const delivery of [before, await world.readDelivery(message)]) {
      const refused = await refusal(
        replayDelivery(world.services, endpoint, delivery, { now: world.services.now() }),
      );
      expect(refused).toBeInstanceOf(ServiceError);
      expect(refused).toEqual(conflict);
    }
    answer();
    await delivering;
    expect(await world.readDelivery(message)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    await slow.stop();
  });

  test('is refused while its endpoint is switched off', async () => {
    const subscriber = await world.newSubscriber(receiver.origin);
    const failed = await world.readDelivery(await newFailed(subscriber));
    await world.changeSettings(subscriber, { enabled: false });
    const endpoint = await world.readEndpoint(subscriber);
    const now = world.services.now();
    expect(await refusal(replayDelivery(world.services, endpoint, failed, { now }))).toEqual(conflict);
    expect(await refusal(replayFailed(world.services, endpoint, now, now))).toEqual(conflict);
    expect(await refusal(sendTestEvent(world.services, endpoint, now))).toEqual(conflict);
  });
});

describe('replaying what failed since a time', () => {
  test('sends what failed of the events from then on, and nothing that was delivered or is older', async () => {
    const subscriber = await world.newSubscriber(receiver.origin);
    await newFailed(subscriber);
    receiver.status = 200;
    world.pass(60);
    const since = world.services.now();
    await world.attemptNext(only(await world.announce(world.callCompleted(subscriber))));
    receiver.status = 500;
    const expected = await newFailed(subscriber);
    const endpoint = await world.readEndpoint(subscriber);
    expect(await replayFailed(world.services, endpoint, since, world.services.now())).toEqual({
      replayed: 1,
      next: null,
    });
    expect(await world.receiveMessages()).toEqual([expected]);
  });

  test('brings an endpoint up to date that was switched off for a while', async () => {
    const subscriber = await world.newSubscriber(receiver.origin);
    const since = world.services.now();
    await world.changeSettings(subscriber, { enabled: false });
    const events = [world.callCompleted(subscriber), world.callCompleted(subscriber)];
    for (const event of events) expect(await world.announce(event)).toEqual([]);
    await world.changeSettings(subscriber, { enabled: true });
    receiver.status = 200;
    await replayFailed(world.services, await world.readEndpoint(subscriber), since, world.services.now());
    const messages = await world.receiveMessages();
    for (const message of messages) await deliver(world.services, message);
    expect(receiver.requests.map(({ body }) => JSON.parse(body).call_id).sort()).toEqual(
      events.map(({ payload }) => payload.call_id).sort(),
    );
  });

  test('does a bounded part at a time and goes on where it was', async () => {
    const subscriber = await world.newSubscriber(receiver.origin);
    const since = world.services.now();
    await world.changeSettings(subscriber, { enabled: false });
    for (let count = 0; count < 250; count += 1) {
      await world.announce(world.callCompleted(subscriber));
      world.pass(1);
    }
    await world.changeSettings(subscriber, { enabled: true });
    const endpoint = await world.readEndpoint(subscriber);
    const now = world.services.now();
    const first = await replayFailed(world.services, endpoint, since, now);
    expect(first).toMatchObject({ replayed: 200, next: expect.any(String) });
    expect(await replayFailed(world.services, endpoint, first.next ?? '', now)).toEqual({
      replayed: 50,
      next: null,
    });
    expect(new Set((await world.receiveMessages()).map(({ sk }) => sk)).size).toBe(250);
  }, 60_000);
});

describe('a test event', () => {
  test('comes whichever events the endpoint selects, with the four members and nobody behind them', async () => {
    receiver.status = 204;
    const subscriber = await world.newSubscriber(receiver.origin, ['task.completed']);
    const delivery = await sendTestEvent(world.services, subscriber.endpoint, world.services.now());
    expect(await world.attemptNext(only(await world.receiveMessages()))).toMatchObject({
      status: 'delivered',
    });
    const [request] = receiver.requests;
    expect(JSON.parse(request?.body ?? '')).toEqual({
      event: 'webhook.test',
      task_id: delivery.payload.task_id,
      call_id: null,
      timestamp: world.services.now().toISOString(),
    });
    expect(request?.headers['webhook-id']).toBe(delivery.id);
  });
});
