import * as z from 'zod/mini';
import { dayMs } from '#shared/domain/time.ts';
import type { Table } from '#shared/table/client.ts';
import { createdSince } from '#shared/table/created-since.ts';
import { changeSearchTerms } from '#shared/table/search-term.ts';
import { recordUsage } from '#shared/usage/record-usage.ts';
import type { DeliveryQueue } from '#shared/webhooks/delivery-queue.ts';
import { eventsOf } from '#shared/webhooks/events.ts';
import { fanOut } from '#shared/webhooks/fan-out.ts';

/** A task waits for its calling hours and redials at most this long. */
const longestTaskMs = 30 * dayMs;

/**
 * Recovers from a failed stream: creates the deliveries of every event of a project's tasks and calls from
 * `since` on, and records the usage of those changed since then. Existing deliveries keep their state, so
 * nothing is delivered twice while they are kept (30 days).
 *
 * @returns the number of published events
 */
export async function announceAgain(
  table: Table,
  queue: DeliveryQueue,
  { projectId, since, now }: { projectId: string; since: Date; now: Date },
): Promise<number> {
  let announced = 0;
  for await (const items of createdSince(table, projectId, since.getTime() - longestTaskMs)) {
    for (const item of items) {
      try {
        announced += await announceItem(table, queue, item, { since, now });
      } catch (error) {
        if (!(error instanceof z.core.$ZodError)) throw error;
        throw new Error(`${String(item.pk)}, ${String(item.sk)}`, { cause: error });
      }
    }
  }
  return announced;
}

async function announceItem(
  table: Table,
  queue: DeliveryQueue,
  item: Readonly<Record<string, unknown>>,
  { since, now }: { since: Date; now: Date },
): Promise<number> {
  const events = eventsOf(item).filter(({ payload }) => Date.parse(payload.timestamp) >= since.getTime());
  if (Date.parse(String(item.updated_at)) >= since.getTime()) {
    await recordUsage(table, null, item, now);
    await changeSearchTerms(table, null, item);
  }
  await fanOut(table, queue, events, now);
  return events.length;
}
