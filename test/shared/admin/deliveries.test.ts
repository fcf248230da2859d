import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EndpointAddress } from '#shared/admin/authorize-endpoint.ts';
import {
  DeliveryDetails,
  DeliveryList,
  readDeliveries,
  readDelivery,
  replayOne,
  replaySince,
  testEndpoint,
} from '#shared/admin/deliveries.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { AdminCaller, Role } from '#shared/domain/person.ts';
import { readDeliveryId, readDeliveryStatus } from '#shared/http/admin-requests.ts';
import { openResponseBudget } from '#shared/http/response-size-budget.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import {
  type DeliveryFixture,
  only,
  type Receiver,
  type Subscriber,
  startDeliverySite,
  startReceiver,
} from '../../support/delivery-fixture.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { refusal } from '../../support/refusal.ts';

const site = await forThisFile(startDeliverySite());
let fixture: DeliveryFixture;
let receiver: Receiver;
let subscriber: Subscriber;
let address: EndpointAddress;
let owner: AdminCaller;
let viewer: AdminCaller;
beforeEach(async () => {
  fixture = await site.newFixture();
  receiver = await startReceiver();
  subscriber = await fixture.newSubscriber(receiver.origin);
  const { id, project_id } = subscriber.endpoint;
  address = { projectId: project_id, webhookId: id };
  owner = await newMember('owner');
  viewer = await newMember('viewer');
});
afterEach(() => receiver.stop());

async function newMember(role: Role): Promise<AdminCaller> {
  const { table, now } = fixture.services;
  const email = `${role}@clinic.example.com`;
  const at = now().toISOString();
  await writeTransaction(table, [
    addMemberItem(table, { project_id: address.projectId, email, role, created_at: at, updated_at: at }),
  ]);
  return { person: { subject: `subject of ${email}`, email, name: null }, requestId: 'request-1' };
}

async function newDelivery() {
  fixture.pass(1);
  return fixture.attemptNext(only(await fixture.fanOut(fixture.callCompleted(subscriber))));
}

const list = (
  caller: AdminCaller,
  limit: number,
  cursor: string | null,
  only: 'delivered' | 'pending' | null,
) =>
  readDeliveries(
    fixture.services.table,
    caller,
    address,
    { status: only, position: { limit, cursor, openBudget: openResponseBudget } },
    fixture.services.now(),
  );

describe('the list of deliveries', () => {
  test("shows an endpoint's own deliveries, newest first, in pages", async () => {
    const other = await fixture.newSubscriber(receiver.origin);
    await fixture.fanOut(fixture.callCompleted(other));
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await newDelivery()).id);

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const body: DeliveryList = await list(viewer, 2, cursor, null);
      expect(DeliveryList.parse(body)).toEqual(body);
      seen.push(...body.deliveries.map(({ id }) => id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids);
  });

  test('filters by status', async () => {
    await newDelivery();
    receiver.status = 200;
    const delivered = await newDelivery();
    const found = await list(viewer, 10, null, 'delivered');
    expect(found.deliveries.map(({ id }) => id)).toEqual([delivered.id]);
    expect((await list(viewer, 10, null, 'pending')).deliveries).toHaveLength(1);
    expect(readDeliveryStatus({ query: new URLSearchParams('status=failed') })).toBe('failed');
    expect(readDeliveryStatus({ query: new URLSearchParams() })).toBeNull();
    expect(() => readDeliveryStatus({ query: new URLSearchParams('status=lost') })).toThrow('status must be');
  });

  test("refuses another list's cursor", async () => {
    await newDelivery();
    await newDelivery();
    const body = await list(viewer, 1, null, null);
    expect(body.next_cursor).not.toBeNull();
    expect(await refusal(list(viewer, 1, body.next_cursor, 'delivered'))).toMatchObject({
      code: 'invalid_request',
    });
  });

  test('omits expired deliveries that are still in the table', async () => {
    const { id } = await newDelivery();
    fixture.pass(31 * 24 * 60 * 60);
    expect(await list(viewer, 10, null, null)).toEqual({ deliveries: [], next_cursor: null });
    const { table, now } = fixture.services;
    expect(
      await refusal(
        readDelivery(
          { table, openBudget: openResponseBudget },
          viewer,
          { ...address, deliveryId: id },
          now(),
        ),
      ),
    ).toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a delivery', () => {
  test("shows the receiver's response to each attempt", async () => {
    const { id } = await newDelivery();
    receiver.status = 200;
    const { pk, sk } = { pk: `WEBHOOK#${address.webhookId}`, sk: `DELIVERY#${id}` };
    await fixture.attemptNext({ pk, sk });
    const shown = await readDelivery(
      { table: fixture.services.table, openBudget: openResponseBudget },
      viewer,
      { ...address, deliveryId: id },
      fixture.services.now(),
    );
    expect(DeliveryDetails.parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      id,
      status: 'delivered',
      next_attempt_at: null,
      attempts: [
        { number: 2, status_code: 200, response: { body: 'answer 200', truncated: false } },
        { number: 1, status_code: 500, response: { body: 'answer 500', truncated: false } },
      ],
    });
  });

  test('is not found if it does not exist', async () => {
    const missing = `msg_${'0'.repeat(32)}`;
    const { services } = fixture;
    const refused = await Promise.all(
      [
        readDelivery(
          { table: services.table, openBudget: openResponseBudget },
          viewer,
          { ...address, deliveryId: missing },
          services.now(),
        ),
        replayOne(services, owner, { ...address, deliveryId: missing }, services.now()),
      ].map(refusal),
    );
    expect(refused).toMatchObject([{ code: 'not_found' }, { code: 'not_found' }]);
    expect(() => readDeliveryId({ pathParameters: { delivery_id: 'msg_1' } })).toThrow('Invalid delivery ID');
  });

  test('is not found under another endpoint', async () => {
    const { id } = await newDelivery();
    const elsewhere = { ...address, webhookId: uuidv7() };
    const { table, now } = fixture.services;
    expect(
      await refusal(
        readDelivery(
          { table, openBudget: openResponseBudget },
          viewer,
          { ...elsewhere, deliveryId: id },
          now(),
        ),
      ),
    ).toMatchObject({
      code: 'not_found',
    });
  });
});

describe('replays and test events', () => {
  test('are for owners only', async () => {
    const { id } = await newDelivery();
    const { services } = fixture;
    const refused = await Promise.all(
      [
        replayOne(services, viewer, { ...address, deliveryId: id }, services.now()),
        replaySince(services, viewer, address, { since: services.now().toISOString() }, services.now()),
        testEndpoint(services, viewer, address, services.now()),
      ].map(refusal),
    );
    expect(refused).toMatchObject(refused.map(() => ({ code: 'forbidden' })));
    expect(refused).toHaveLength(3);
  });

  test('are audited', async () => {
    const { id } = await newDelivery();
    const { services } = fixture;
    const since = services.now().toISOString();
    await replayOne(services, owner, { ...address, deliveryId: id }, services.now());
    fixture.pass(1);
    await replaySince(services, owner, address, { since }, services.now());
    fixture.pass(1);
    const sent = await testEndpoint(services, owner, address, services.now());
    expect(sent).toMatchObject({ status: 'pending', payload: { event: 'webhook.test', call_id: null } });
    const { items } = await listAuditEntries(services.table, address.projectId, { limit: 10, before: null });
    expect(items).toMatchObject([
      { action: 'webhook.tested', target: { id: address.webhookId }, after: { delivery_id: sent.id } },
      { action: 'webhook.replayed', target: { id: address.webhookId }, after: { failed_since: since } },
      { action: 'webhook.replayed', target: { id }, actor: { email: owner.person.email } },
      { action: 'project.created', actor: { kind: 'command' } },
    ]);
  });

  test('of a long outage continue from their cursor, each part audited', async () => {
    const { services } = fixture;
    const since = services.now().toISOString();
    await fixture.changeSettings(subscriber, { enabled: false });
    for (let count = 0; count < 220; count += 1) await fixture.fanOut(fixture.callCompleted(subscriber));
    await fixture.changeSettings(subscriber, { enabled: true });
    const first = await replaySince(services, owner, address, { since }, services.now());
    expect(first).toMatchObject({ replayed: 200, next_cursor: expect.any(String) });
    const rest = { since, cursor: first.next_cursor ?? '' };
    expect(await replaySince(services, owner, address, rest, services.now())).toEqual({
      replayed: 20,
      next_cursor: null,
    });
    const later = { ...rest, since: new Date(Date.parse(since) + 1000).toISOString() };
    expect(await refusal(replaySince(services, owner, address, later, services.now()))).toMatchObject({
      code: 'invalid_request',
    });
  });
});
