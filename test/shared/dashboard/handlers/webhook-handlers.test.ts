import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Person } from '#shared/domain/person.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { createWebhookDelivery } from '#shared/table/webhook-delivery.ts';
import { undeliverable } from '#shared/webhooks/after-attempt.ts';
import { newDelivery } from '#shared/webhooks/new-delivery.ts';
import { type DashboardPages, openDashboardPages } from '../../../support/dashboard-pages.ts';
import {
  type DeliverySite,
  type DeliveryWorld,
  type Subscriber,
  startDeliverySite,
} from '../../../support/delivery-world.ts';
import { sampleTime } from '../../../support/sample-tasks.ts';

const owner: Person = { subject: 'owner', email: 'owner@clinic.example.com', name: null };

let site: DeliverySite;
let world: DeliveryWorld;
let pages: DashboardPages;
let subscriber: Subscriber;
beforeAll(async () => {
  site = await startDeliverySite();
  world = await site.newWorld();
  const { services } = world;
  pages = openDashboardPages({ ...services, callQueue: services.queue });
  subscriber = await world.newSubscriber('http://127.0.0.1:9/webhooks');
  const { project_id } = subscriber.endpoint;
  const member = { project_id, email: owner.email, created_at: sampleTime, updated_at: sampleTime };
  await writeTransaction(services.table, [addMemberItem(services.table, { ...member, role: 'owner' })]);
});
afterAll(() => site.stop());

/** Lets so many deliveries fail, of events that happened one after the other. */
async function fail(count: number): Promise<void> {
  const { table, now } = world.services;
  for (let start = 0; start < count; start += 100) {
    const some = Array.from({ length: Math.min(100, count - start) }, () => {
      world.pass(1);
      const { payload } = world.callCompleted(subscriber);
      return undeliverable(newDelivery(subscriber.endpoint, payload, now()));
    });
    await Promise.all(some.map((delivery) => createWebhookDelivery(table, delivery)));
  }
}

describe('sending failed deliveries again', () => {
  test('reaches every one of more than one request looks for, by going on where the last left off', async () => {
    const day = world.services.now().toISOString().slice(0, 10);
    await fail(1_230);
    const { id, project_id } = subscriber.endpoint;
    const address = pages.links.webhook(project_id, id, '/replay');
    const first = await pages.ask(owner, address, { since: day });
    expect(first.statusCode).toBe(200);
    expect(first.body).toMatch(/\d+ were sent again, the oldest first/);
    const cursor = /name="cursor" value="([^"]+)"/.exec(first.body)?.[1] ?? '';
    expect(first.body).toContain(`name="since" value="${day}"`);
    const second = await pages.ask(owner, address, { since: day, cursor });
    expect(second.headers?.location).toBe(`${pages.links.webhook(project_id, id)}?done=deliveries-replayed`);
    expect(await world.receiveMessages()).toHaveLength(1_230);
  });

  test.each([
    ['no day', { since: '' }],
    ['a place that nobody was shown', { since: '2026-03-02', cursor: uuidv7() }],
  ])('says next to the field that %s is none to begin with', async (_, form) => {
    const { id, project_id } = subscriber.endpoint;
    const { statusCode, body } = await pages.ask(owner, pages.links.webhook(project_id, id, '/replay'), form);
    expect(statusCode).toBe(400);
    expect(body).toContain('<a href="#since">');
    expect(body).toContain('<details class="confirm" open');
  });
});
