import type { Table } from '#shared/table/client.ts';
import { createdSince } from '#shared/table/completed-items.ts';
import { eventOfCompleted } from './completed-event.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { fanOut } from './fan-out.ts';

/** A task waits for its calling hours and redials, but not longer than this. */
const longestTaskMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Makes the deliveries of every task and call of a project that was completed at `since` or later, as the stream should
 * have done. One that exists keeps its state, so nobody is told twice while deliveries are kept (30 days).
 *
 * @returns how many tasks and calls were announced
 */
export async function announceAgain(
  table: Table,
  queue: DeliveryQueue,
  { projectId, since, now }: { projectId: string; since: Date; now: Date },
): Promise<number> {
  let announced = 0;
  for await (const items of createdSince(table, projectId, since.getTime() - longestTaskMs)) {
    for (const item of items) {
      const event = eventOfCompleted(item);
      if (event === null || Date.parse(event.payload.timestamp) < since.getTime()) continue;
      await fanOut(table, queue, event, now);
      announced += 1;
    }
  }
  return announced;
}
