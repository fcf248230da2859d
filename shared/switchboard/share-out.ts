import type { Switchboard } from '#shared/domain/switchboard.ts';
import { countNearSlots } from './slots.ts';
import { type CarrierCapacity, compareTurns, linesInUse, turnsOf } from './switchboard.ts';

/** How many tasks can be called now or in a moment, as far as the carrier is concerned. */
export function countFreeLines(board: Switchboard, capacity: CarrierCapacity, now: Date): number {
  return Math.min(Math.max(capacity.maxCalls - linesInUse(board), 0), countNearSlots(board, capacity, now));
}

/**
 * Which of the waiting tasks are called next: just so many as there are lines for them, in the order in which `admit`
 * lets them through.
 *
 * @param lanes the tasks of each waiting project, the longest waiting first
 */
export function shareOut(
  board: Switchboard,
  lanes: ReadonlyMap<string, readonly string[]>,
  capacity: CarrierCapacity,
  now: Date,
): string[] {
  const turns = turnsOf(board).map((turn) => ({
    ...turn,
    tasks: [...(lanes.get(turn.projectId) ?? [])],
    limit: board.waiting[turn.projectId]?.limit ?? 0,
  }));
  let lastSinceMs = Math.max(...Object.values(board.waiting).map(({ since }) => Date.parse(since)), 0);
  const chosen: string[] = [];
  for (let free = countFreeLines(board, capacity, now); free > 0; free -= 1) {
    const [turn] = turns
      .filter(({ lines, limit, tasks }) => lines < limit && tasks.length > 0)
      .sort(compareTurns);
    const taskId = turn?.tasks.shift();
    if (turn === undefined || taskId === undefined) break;
    chosen.push(taskId);
    turn.lines += 1;
    lastSinceMs += 1;
    turn.since = new Date(lastSinceMs).toISOString();
  }
  return chosen;
}
