import type { CallCapacity } from '#shared/domain/call-capacity.ts';

/** The limits of a carrier or a line. */
export interface CarrierLimits {
  /** New calls per second. */
  readonly callsPerSecond: number;
  /** Calls at the same time. */
  readonly maxCalls: number;
  /** Waiting projects that another limit keeps from taking a slot; they do not block others. */
  readonly passedOver?: ReadonlySet<string>;
}

export function slotsOf(capacity: CallCapacity, projectId: string): number {
  return capacity.slots[projectId] ?? 0;
}

export function slotsInUse(capacity: CallCapacity): number {
  return Object.values(capacity.slots).reduce((sum, count) => sum + count, 0);
}

/** A project's claim to the next free slot. */
export interface ProjectShare {
  readonly projectId: string;
  readonly slots: number;
  readonly since: string;
}

/** Negative when `a` gets the next slot before `b`: fewer slots first, then longer wait. */
export function compareShares(a: ProjectShare, b: ProjectShare): number {
  return a.slots - b.slots || Date.parse(a.since) - Date.parse(b.since);
}

/** The waiting projects that may have another slot, in order of turn. */
export function sharesOf(
  capacity: CallCapacity,
  { passedOver }: Pick<CarrierLimits, 'passedOver'>,
): ProjectShare[] {
  return Object.entries(capacity.waiting)
    .map(([projectId, { since, limit }]) => ({
      projectId,
      since,
      limit,
      slots: slotsOf(capacity, projectId),
    }))
    .filter(({ projectId, slots, limit }) => slots < limit && passedOver?.has(projectId) !== true)
    .sort(compareShares);
}

/** The call capacity with the project waiting for its next slot, behind all that already wait. */
export function withWaiting(
  capacity: CallCapacity,
  projectId: string,
  limit: number,
  now: Date,
): CallCapacity {
  const latestMs = Math.max(...Object.values(capacity.waiting).map(({ since }) => Date.parse(since)), 0);
  const since = new Date(Math.max(now.getTime(), latestMs + 1)).toISOString();
  const entered_at = capacity.waiting[projectId]?.entered_at ?? now.toISOString();
  return { ...capacity, waiting: { ...capacity.waiting, [projectId]: { since, entered_at, limit } } };
}

/** The call capacity without projects that no longer wait. */
export function withoutWaiting(capacity: CallCapacity, projectIds: readonly string[]): CallCapacity {
  const waiting = Object.entries(capacity.waiting).filter(([projectId]) => !projectIds.includes(projectId));
  return { ...capacity, waiting: Object.fromEntries(waiting) };
}
