import type { CallCapacity } from '#shared/domain/call-capacity.ts';
import { type CarrierLimits, compareShares, sharesOf, slotsInUse } from './capacity.ts';
import { countNearDials } from './pacing.ts';

/** How many more tasks the carrier or the line can take now or in a moment. */
export function countFreeSlots(capacity: CallCapacity, limits: CarrierLimits, now: Date): number {
  return Math.min(Math.max(limits.maxCalls - slotsInUse(capacity), 0), countNearDials(capacity, limits, now));
}

/**
 * Chooses the waiting tasks to call next: as many as there are slots, in the order in which `admit` lets them
 * through.
 *
 * @param queues the tasks of each waiting project, longest waiting first
 */
export function allocateSlots(
  capacity: CallCapacity,
  queues: ReadonlyMap<string, readonly string[]>,
  limits: CarrierLimits,
  now: Date,
): string[] {
  const shares = sharesOf(capacity, limits).map((share) => ({
    ...share,
    tasks: [...(queues.get(share.projectId) ?? [])],
    limit: capacity.waiting[share.projectId]?.limit ?? 0,
  }));
  let lastSinceMs = Math.max(...Object.values(capacity.waiting).map(({ since }) => Date.parse(since)), 0);
  const chosen: string[] = [];
  for (let free = countFreeSlots(capacity, limits, now); free > 0; free -= 1) {
    const [share] = shares
      .filter(({ slots, limit, tasks }) => slots < limit && tasks.length > 0)
      .sort(compareShares);
    const taskId = share?.tasks.shift();
    if (share === undefined || taskId === undefined) break;
    chosen.push(taskId);
    share.slots += 1;
    lastSinceMs += 1;
    share.since = new Date(lastSinceMs).toISOString();
  }
  return chosen;
}
