import type { CallCapacity } from '#shared/domain/call-capacity.ts';
import {
  type CarrierLimits,
  compareShares,
  type ProjectShare,
  sharesOf,
  slotsInUse,
  slotsOf,
  withWaiting,
} from './capacity.ts';
import { isDialNear, nextDialMs, spacingMs } from './pacing.ts';

/** A task's request for a slot. */
export interface SlotRequest {
  readonly projectId: string;
  /** The project's limit of concurrent slots. */
  readonly projectLimit: number;
  /** Whether the task is already waiting. */
  readonly isWaiting: boolean;
  /** Whether the task was let through before, so that only limits can refuse it now. */
  readonly hadTurn?: boolean;
}

/**
 * Why a task gets no slot now: its project or the carrier has no free one, another project or other tasks of its own
 * come first, or the carrier takes no further call right now.
 */
export type SlotRefusal = 'project-limit' | 'carrier-limit' | 'fair-share' | 'queue' | 'pace';

export type Admission =
  | {
      readonly isAdmitted: true;
      /** When the carrier may be asked to place the call, at most about a second ahead. */
      readonly dialAt: Date;
      readonly next: CallCapacity;
    }
  | {
      readonly isAdmitted: false;
      readonly refusal: SlotRefusal;
      /** The call capacity with the project waiting; the same object if it already is. */
      readonly next: CallCapacity;
    };

/**
 * Grants a slot or says why not. No project gets a new turn while a waiting project below its own limit has fewer
 * slots or, with as many, has waited longer: so freed slots circulate until all projects have their fair share.
 */
export function admit(
  capacity: CallCapacity,
  request: SlotRequest,
  limits: CarrierLimits,
  now: Date,
): Admission {
  const refusal = findRefusal(capacity, request, limits, now);
  const { projectId, projectLimit } = request;
  const isKnownToWait = capacity.waiting[projectId] !== undefined;
  if (refusal !== null) {
    const next = isKnownToWait ? capacity : withWaiting(capacity, projectId, projectLimit, now);
    return { isAdmitted: false, refusal, next };
  }
  const dialMs = nextDialMs(capacity, now);
  const served: CallCapacity = {
    ...capacity,
    slots: { ...capacity.slots, [projectId]: slotsOf(capacity, projectId) + 1 },
    next_slot_at: new Date(dialMs + spacingMs(limits)).toISOString(),
  };
  // Its next slot waits from now on, so that projects with as many slots take turns.
  const next = isKnownToWait ? withWaiting(served, projectId, projectLimit, now) : served;
  return { isAdmitted: true, dialAt: new Date(dialMs), next };
}

function findRefusal(
  capacity: CallCapacity,
  { projectId, projectLimit, isWaiting, hadTurn = false }: SlotRequest,
  limits: CarrierLimits,
  now: Date,
): SlotRefusal | null {
  const slots = slotsOf(capacity, projectId);
  if (slots >= projectLimit) return 'project-limit';
  if (slotsInUse(capacity) >= limits.maxCalls) return 'carrier-limit';
  const own = capacity.waiting[projectId];
  const share = { projectId, slots, since: own?.since ?? now.toISOString() };
  const isBefore = (other: ProjectShare): boolean =>
    other.projectId !== projectId && compareShares(other, share) < 0;
  if (!hadTurn && sharesOf(capacity, limits).some(isBefore)) return 'fair-share';
  if (!hadTurn && own !== undefined && !isWaiting) return 'queue';
  return isDialNear(nextDialMs(capacity, now), now) ? null : 'pace';
}
