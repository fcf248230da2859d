import { randomInt, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { timestampAfter } from '#shared/domain/time.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPrefix } from './query-pages.ts';
import { expiresIn } from './time-to-live.ts';
import { updateIf } from './transaction-items.ts';

/** The right to one attempt at an endpoint. Each endpoint has a few, so its attempts never take all workers. */
export interface WebhookSlot {
  readonly webhookId: string;
  readonly number: number;
  /** Distinguishes its holder from a later one that took over after it expired. */
  readonly holder: string;
}

const SlotItem = z.object({ number: z.int(), held_until: z.optional(Timestamp) });

/** Slots of unused endpoints expire. */
const keptForSeconds = 24 * 60 * 60;

/**
 * Takes a free one of the first `count` slots of an endpoint, or returns null when all are held. Most slots of most
 * endpoints are free, so it tries one before reading all.
 *
 * @param leaseSeconds after which it is free again if the holder dies
 */
export async function acquireWebhookSlot(
  table: Table,
  webhookId: string,
  { count, leaseSeconds, now }: { count: number; leaseSeconds: number; now: Date },
): Promise<WebhookSlot | null> {
  const takeSlot = async (number: number): Promise<WebhookSlot | null> => {
    const slot = { webhookId, number, holder: randomUUID() };
    return (await take(table, slot, leaseSeconds, now)) ? slot : null;
  };
  const any = randomInt(count);
  const first = await takeSlot(any);
  if (first !== null) return first;
  const held = await heldSlots(table, webhookId, now);
  for (let number = 0; number < count; number += 1) {
    if (number === any || held.has(number)) continue;
    const slot = await takeSlot(number);
    if (slot !== null) return slot;
  }
  return null;
}

/** Does nothing if another delivery already holds the slot. */
export async function releaseWebhookSlot(table: Table, slot: WebhookSlot): Promise<void> {
  await updateIf(table, slotKey(slot), {
    change: 'REMOVE held_until, holder',
    condition: 'holder = :holder',
    values: { holder: slot.holder },
  });
}

async function heldSlots(table: Table, webhookId: string, now: Date): Promise<Set<number>> {
  const items = await queryPrefix(table, endpointPartition(webhookId), 'SLOT#');
  const slots = items.map((item) => SlotItem.parse(item));
  const isHeld = (until: string | undefined): boolean => until !== undefined && until > now.toISOString();
  return new Set(slots.filter(({ held_until }) => isHeld(held_until)).map(({ number }) => number));
}

async function take(table: Table, slot: WebhookSlot, leaseSeconds: number, now: Date): Promise<boolean> {
  return updateIf(table, slotKey(slot), {
    change:
      'SET #type = :type, #number = :number, held_until = :until, holder = :holder, expires_at_seconds = :expires',
    condition: 'attribute_not_exists(held_until) OR held_until <= :now',
    values: {
      type: 'webhook-slot',
      number: slot.number,
      until: timestampAfter(now, leaseSeconds * 1000),
      holder: slot.holder,
      now: now.toISOString(),
      expires: expiresIn(keptForSeconds, now.getTime()).expires_at_seconds,
    },
  });
}

/** Holds an endpoint's deliveries and slots. */
export function endpointPartition(webhookId: string): string {
  return `WEBHOOK#${webhookId}`;
}

function slotKey({ webhookId, number }: WebhookSlot): PrimaryKey {
  return { pk: endpointPartition(webhookId), sk: `SLOT#${number}` };
}
