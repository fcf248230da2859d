import type { Switchboard } from '#shared/domain/switchboard.ts';
import { isSlotNear, nextSlotMs, spacingMs } from './slots.ts';
import {
  type CarrierCapacity,
  compareTurns,
  linesInUse,
  linesOf,
  turnsOf,
  withWaiting,
} from './switchboard.ts';

/** A task asks for a line. */
export interface LineRequest {
  readonly projectId: string;
  /** How many lines its project may have at the same time. */
  readonly projectLimit: number;
  /** Whether the task has asked before and waits. */
  readonly isWaiting: boolean;
}

/**
 * Why a task does not get a line now: its project or the carrier has no free one, another project comes first, other
 * tasks of its own project do, or the carrier takes no further call in the next moment.
 */
export type LineRefusal = 'project-limit' | 'carrier-limit' | 'fair-share' | 'queue' | 'pace';

export type Admission =
  | {
      readonly isAdmitted: true;
      /** When the carrier may be asked to place the call, at most about a second ahead. */
      readonly slotAt: Date;
      readonly next: Switchboard;
    }
  | {
      readonly isAdmitted: false;
      readonly refusal: LineRefusal;
      /** The board with the project waiting; the same object when it already is. */
      readonly next: Switchboard;
    };

/**
 * Gives a line or says why not. No project gets a line while a waiting one with room below its own limit has fewer of
 * them or, having as many, has waited for longer: so lines that become free go round until all have their fair share.
 */
export function admit(
  board: Switchboard,
  request: LineRequest,
  capacity: CarrierCapacity,
  now: Date,
): Admission {
  const refusal = findRefusal(board, request, capacity, now);
  const { projectId, projectLimit } = request;
  const isKnownToWait = board.waiting[projectId] !== undefined;
  if (refusal !== null) {
    const next = isKnownToWait ? board : withWaiting(board, projectId, projectLimit, now);
    return { isAdmitted: false, refusal, next };
  }
  const slotMs = nextSlotMs(board, now);
  const served: Switchboard = {
    ...board,
    lines: { ...board.lines, [projectId]: linesOf(board, projectId) + 1 },
    next_slot_at: new Date(slotMs + spacingMs(capacity)).toISOString(),
  };
  // For its next line the project waits from now on, so that projects with as many lines take turns.
  const next = isKnownToWait ? withWaiting(served, projectId, projectLimit, now) : served;
  return { isAdmitted: true, slotAt: new Date(slotMs), next };
}

function findRefusal(
  board: Switchboard,
  { projectId, projectLimit, isWaiting }: LineRequest,
  capacity: CarrierCapacity,
  now: Date,
): LineRefusal | null {
  const lines = linesOf(board, projectId);
  if (lines >= projectLimit) return 'project-limit';
  if (linesInUse(board) >= capacity.maxCalls) return 'carrier-limit';
  const own = board.waiting[projectId];
  const turn = { projectId, lines, since: own?.since ?? now.toISOString() };
  if (turnsOf(board).some((other) => other.projectId !== projectId && compareTurns(other, turn) < 0)) {
    return 'fair-share';
  }
  if (own !== undefined && !isWaiting) return 'queue';
  return isSlotNear(nextSlotMs(board, now), now) ? null : 'pace';
}
