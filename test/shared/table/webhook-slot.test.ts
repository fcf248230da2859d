import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { acquireWebhookSlot, releaseWebhookSlot } from '#shared/table/webhook-slot.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { startTableProxy } from '../../support/table-proxy.ts';

const embedded = await forThisFile(startEmbeddedTable());
const proxy = await forThisFile(startTableProxy(embedded, (_operation, forward) => forward()));
const now = new Date('2026-11-23T10:00:00Z');
const terms = { count: 3, leaseSeconds: 60, now };

test('a slot of an idle endpoint takes one request', async () => {
  proxy.operations.length = 0;
  expect(await acquireWebhookSlot(proxy.table, randomUUID(), terms)).not.toBeNull();
  expect(proxy.operations).toEqual(['UpdateItem']);
});

test('each slot is taken once, whichever is tried first', async () => {
  for (let round = 0; round < 8; round += 1) {
    const webhookId = randomUUID();
    const take = () => acquireWebhookSlot(proxy.table, webhookId, terms);
    const slots = [await take(), await take(), await take()];
    expect(slots.map((slot) => slot?.number).sort()).toEqual([0, 1, 2]);
    expect(await take()).toBeNull();
    const [first] = slots;
    if (first === undefined || first === null) throw new Error('no slot was taken');
    await releaseWebhookSlot(proxy.table, first);
    expect((await take())?.number).toBe(first.number);
  }
});
