import type { Switchboard } from '#shared/domain/switchboard.ts';

/** What a carrier takes. */
export interface CarrierCapacity {
  /** New calls per second. */
  readonly callsPerSecond: number;
  /** Calls at the same time. */
  readonly maxCalls: number;
}

/** The sandbox phone's. It could do more; a demonstration needs no more, and every limit can be seen at work. */
export const sandboxCapacity: CarrierCapacity = { callsPerSecond: 20, maxCalls: 100 };

export function linesOf(board: Switchboard, projectId: string): number {
  return board.lines[projectId] ?? 0;
}

export function linesInUse(board: Switchboard): number {
  return Object.values(board.lines).reduce((sum, count) => sum + count, 0);
}

/** A project's claim to the next free line. */
export interface Turn {
  readonly projectId: string;
  readonly lines: number;
  readonly since: string;
}

/** Negative when `a` gets the next line before `b`: who has fewer lines, then who has waited for longer. */
export function compareTurns(a: Turn, b: Turn): number {
  return a.lines - b.lines || Date.parse(a.since) - Date.parse(b.since);
}

/** The waiting projects that may have another line, whose turn it is first. */
export function turnsOf(board: Switchboard): Turn[] {
  return Object.entries(board.waiting)
    .map(([projectId, { since, limit }]) => ({ projectId, since, limit, lines: linesOf(board, projectId) }))
    .filter(({ lines, limit }) => lines < limit)
    .sort(compareTurns);
}

/** The board with the project waiting for its next line from now on, behind all that wait already. */
export function withWaiting(board: Switchboard, projectId: string, limit: number, now: Date): Switchboard {
  const latestMs = Math.max(...Object.values(board.waiting).map(({ since }) => Date.parse(since)), 0);
  const since = new Date(Math.max(now.getTime(), latestMs + 1)).toISOString();
  const entered_at = board.waiting[projectId]?.entered_at ?? now.toISOString();
  return { ...board, waiting: { ...board.waiting, [projectId]: { since, entered_at, limit } } };
}

/** The board without projects that wait for nothing any more. */
export function withoutWaiting(board: Switchboard, projectIds: readonly string[]): Switchboard {
  const waiting = Object.entries(board.waiting).filter(([projectId]) => !projectIds.includes(projectId));
  return { ...board, waiting: Object.fromEntries(waiting) };
}
