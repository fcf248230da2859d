import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Person } from '#shared/domain/person.ts';
import { WebhookEventName } from '#shared/domain/webhook.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { newDeliveryItem } from '#shared/table/webhook-delivery.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { undeliverable } from '#shared/webhooks/after-attempt.ts';
import { newDelivery } from '#shared/webhooks/new-delivery.ts';
import { type DashboardPages, openDashboardPages } from '../../../support/dashboard-pages.ts';
import {
  type DeliveryFixture,
  type DeliverySite,
  type Subscriber,
  startDeliverySite,
} from '../../../support/delivery-fixture.ts';
import { sampleTime } from '../../../support/sample-tasks.ts';

const owner: Person = { subject: 'owner', email: 'owner@clinic.example.com', name: null };
const manager: Person = { subject: 'manager', email: 'manager@clinic.example.com', name: null };

let site: DeliverySite;
let fixture: DeliveryFixture;
let pages: DashboardPages;
let subscriber: Subscriber;
beforeAll(async () => {
  site = await startDeliverySite();
  fixture = await site.newFixture();
  const { services } = fixture;
  pages = openDashboardPages({ ...services, callQueue: services.queue, keys: null });
  subscriber = await fixture.newSubscriber('http://127.0.0.1:9/webhooks');
  const { project_id } = subscriber.endpoint;
  const times = { created_at: sampleTime, updated_at: sampleTime };
  await writeTransaction(services.table, [
    addMemberItem(services.table, { project_id, email: owner.email, role: 'owner', ...times }),
    addMemberItem(services.table, { project_id, email: manager.email, role: 'manager', ...times }),
  ]);
});
afterAll(() => site.stop());

/** Fails this many deliveries, whose events happened one after another. */
async function fail(count: number): Promise<void> {
  const { table, now } = fixture.services;
  for (let start = 0; start < count; start += 100) {
    const some = Array.from({ length: Math.min(100, count - start) }, () => {
      fixture.pass(1);
      return undeliverable(newDelivery(subscriber.endpoint, fixture.callCompleted(subscriber), now()));
    });
    await writeTransaction(
      table,
      some.map((delivery) => newDeliveryItem(table, delivery)),
    );
  }
}

describe('resending failed deliveries', () => {
  test('covers more than one request, by continuing where the last one stopped', {
    timeout: 900_000,
  }, async () => {
    const day = fixture.services.now().toISOString().slice(0, 10);
    await fail(1_230);
    const { id, project_id } = subscriber.endpoint;
    const address = pages.links.webhook(project_id, id, '/replay');
    const first = await pages.ask(owner, address, { since: day });
    expect(first.statusCode).toBe(200);
    expect(first.body).toMatch(/\d+ were resent, oldest first/);
    const cursor = /name="cursor" value="([^"]+)"/.exec(first.body)?.[1] ?? '';
    expect(first.body).toContain(`name="since" value="${day}"`);
    const second = await pages.ask(owner, address, { since: day, cursor });
    expect(second.headers?.location).toBe(`${pages.links.webhook(project_id, id)}?done=deliveries-replayed`);
    expect(await fixture.receiveMessages()).toHaveLength(1_230);
  });

  test.each([
    ['no day', { since: '' }],
    ['a place that nobody was shown', { since: '2026-03-02', cursor: uuidv7() }],
  ])('reports beside the field that %s is not a start date', async (_, form) => {
    const { id, project_id } = subscriber.endpoint;
    const { statusCode, body } = await pages.ask(owner, pages.links.webhook(project_id, id, '/replay'), form);
    expect(statusCode).toBe(400);
    expect(body).toContain('<a href="#since">');
    expect(body).toContain('<details class="confirm" open');
  });
});

describe('the page of an endpoint', () => {
  test('lets a manager change, disable and delete it, without its signing secret', async () => {
    const { id, project_id } = subscriber.endpoint;
    const address = pages.links.webhook(project_id, id);
    const { body } = await pages.ask(manager, address);
    for (const rest of ['', '/switch-off', '/delete']) expect(body).toContain(`action="${address}${rest}"`);
    expect(body).not.toContain('secret');
    expect((await pages.ask(manager, `${address}/switch-off`, {})).statusCode).toBe(303);
    expect((await pages.ask(manager, address)).body).toContain(`action="${address}/switch-on"`);
    expect((await pages.ask(manager, `${address}/switch-on`, {})).statusCode).toBe(303);
    expect((await pages.ask(owner, address)).body).toContain('Rotate secret');
  });
});

test('a revealed or rotated secret is on one page, and reloading that rotates nothing', async () => {
  const { id, project_id } = subscriber.endpoint;
  const address = pages.links.webhook(project_id, id);
  for (const action of ['reveal-secret', 'rotate-secret']) {
    const { statusCode, headers } = await pages.ask(owner, `${address}/${action}`, {});
    expect([statusCode, headers?.location]).toEqual([303, address]);
    const cookie = String(headers?.['set-cookie']);
    expect(cookie).not.toContain('whsec_');
    const shown = await pages.ask(owner, address, undefined, cookie.split(';')[0]);
    expect(shown.body).toContain('whsec_');
    expect(shown.headers?.['set-cookie']).toMatch(/=; Max-Age=0/);
    expect((await pages.ask(owner, address)).body).not.toContain('whsec_');
  }
});

describe('adding an endpoint', () => {
  const newForm = (changes: Readonly<Record<string, string>> = {}): Record<string, string> => ({
    form_key: randomUUID(),
    url: 'http://127.0.0.1:9/added',
    description: '',
    events: 'task.completed',
    payload: 'minimal',
    ...changes,
  });
  const send = (form: Readonly<Record<string, string>>) =>
    pages.ask(owner, pages.links.webhooks(subscriber.endpoint.project_id), form);
  const addresses = async (): Promise<string[]> => {
    const { table } = fixture.services;
    const endpoints = await listWebhookEndpoints(table, subscriber.endpoint.project_id, {
      consistently: true,
    });
    return endpoints.map(({ url }) => url);
  };

  test('offers events with the two usual ones selected, and warns about sending the whole task', async () => {
    const { body } = await pages.ask(owner, pages.links.webhooks(subscriber.endpoint.project_id));
    const inputs = [...body.matchAll(/<input type="(?:checkbox|radio)"[^>]*>/g)].map(([input]) => input);
    const valueIn = (input: string) => /value="([^"]+)"/.exec(input)?.[1];
    expect(inputs.map(valueIn)).toEqual([...WebhookEventName.options, 'minimal', 'full']);
    expect(inputs.filter((input) => input.includes('checked')).map(valueIn)).toEqual([
      'task.completed',
      'call.completed',
      'minimal',
    ]);
    expect(body).toContain('Sends health information to your endpoint');
  });

  test('follows deliveries to an endpoint, on the first page of its log', async () => {
    const address = pages.links.webhook(subscriber.endpoint.project_id, subscriber.endpoint.id);
    const { body } = await pages.ask(owner, `${address}?status=failed`);
    const [, live = '', version] = /data-live="([^"]+)" data-version="([^"]+)"/.exec(body) ?? [];
    expect(live).toBe(`${address}/deliveries-version?status=failed`);
    expect((await pages.ask(owner, live)).body).toBe(version);
  });

  test('tells a log without deliveries from one without those in a state', async () => {
    const { id, project_id } = (await fixture.newSubscriber('http://127.0.0.1:9/quiet')).endpoint;
    const member = { project_id, email: owner.email, created_at: sampleTime, updated_at: sampleTime };
    const { table } = fixture.services;
    await writeTransaction(table, [addMemberItem(table, { ...member, role: 'owner' })]);
    const page = (rest: string) => pages.ask(owner, pages.links.webhook(project_id, id, rest));
    expect((await page('')).body).toContain('Nothing has been sent yet.');
    expect((await page('?status=failed')).body).toContain('No deliveries in this state.');
  });

  test('says on the page of an endpoint for whole tasks that it sends health information', async () => {
    const added = await send(newForm({ url: 'http://127.0.0.1:9/full', payload: 'full' }));
    expect(added.statusCode).toBe(303);
    const { body } = await pages.ask(owner, String(added.headers?.location));
    expect(body).toContain('Health information is sent to this endpoint');
    const { body: usual } = await pages.ask(
      owner,
      pages.links.webhook(subscriber.endpoint.project_id, subscriber.endpoint.id),
    );
    expect(usual).not.toContain('Health information is sent to this endpoint');
  });

  test('adds one, however often and concurrently its form is sent', async () => {
    const form = newForm({ url: 'http://127.0.0.1:9/sent-often' });
    const together = await Promise.all([send(form), send(form)]);
    const again = await send(form);
    const [made] = new Set([...together, again].map(({ headers }) => String(headers?.location)));
    expect(made).toMatch(/\/webhooks\/[0-9a-f-]{36}\?done=webhook-saved$/);
    expect([...together, again].map(({ headers }) => headers?.location)).toEqual([made, made, made]);
    expect((await addresses()).filter((url) => url === form.url)).toHaveLength(1);
  });

  test('with a corrected form keeps its key, and with a used key asks first', async () => {
    const form = newForm({ url: 'http://192.0.2.1/hook' });
    const refused = await send(form);
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain(`name="form_key" value="${form.form_key}"`);
    const corrected = { ...form, url: 'http://127.0.0.1:9/corrected' };
    expect((await send(corrected)).statusCode).toBe(303);
    const changed = await send({ ...corrected, url: 'http://127.0.0.1:9/changed' });
    expect(changed.statusCode).toBe(400);
    expect(changed.body).toContain('This form was already sent');
    expect(changed.body).not.toContain(form.form_key);
    expect(await addresses()).not.toContain('http://127.0.0.1:9/changed');
  });

  test('reports the maximum in the words of the service', async () => {
    while ((await addresses()).length < 20) expect((await send(newForm())).statusCode).toBe(303);
    const { statusCode, body } = await send(newForm());
    expect(statusCode).toBe(400);
    expect(body).toContain('A project cannot have more than 20 webhooks');
  });
});
