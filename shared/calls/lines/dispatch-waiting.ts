import { enqueueCallMessage } from '#shared/calls/call-queue.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import type { Switchboard } from '#shared/domain/switchboard.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { countFreeLines, shareOut } from '#shared/switchboard/share-out.ts';
import { linesInUse, type Turn, turnsOf, withoutWaiting } from '#shared/switchboard/switchboard.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { getSwitchboard, replaceSwitchboardItem, scheduleDispatch } from '#shared/table/switchboard.ts';
import { findParkedTasks } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';

type DispatchServices = Pick<CallServices, 'table' | 'queue' | 'capacities' | 'now'>;

/** Until the next look at lines that are free and tasks that wait, which could not be brought together yet. */
const dispatchDelaySeconds = 1;
/** A message that comes this much before its time, by another clock, may still send the next one. */
const earlyToleranceMs = 500;
/** A lane lags behind what was written: one that looks empty this soon after it was opened may not be. */
const laneLagMs = 2_000;
/** Lanes that are looked into at once; those behind them come first when it is their turn. */
const maxLanes = 25;

/**
 * Shares out the free lines of a carrier: has just so many waiting tasks dialled as there are lines for, in the order in
 * which the projects come to their turn. Every task still has to ask for its line. As long as tasks wait although lines
 * are free, it has itself called again.
 */
export async function dispatchWaiting(services: DispatchServices, carrier: CarrierName): Promise<void> {
  const { board, lanes } = await retryOnConflict(() => readLanes(services, carrier));
  const capacity = services.capacities[carrier];
  const taskIds = shareOut(board, lanes, capacity, services.now());
  await Promise.all(
    taskIds.map((taskId) => enqueueCallMessage(services.queue, { kind: 'dial', task_id: taskId })),
  );
  annotateLog({ dispatched: taskIds.length, projects_waiting: Object.keys(board.waiting).length });
  // Without room nothing is scheduled: the next call that ends dispatches.
  const hasRoom = turnsOf(board).length > 0 && linesInUse(board) < capacity.maxCalls;
  if (hasRoom) await dispatchSoon(services, carrier, board);
}

/** Has the free lines shared out in a moment, unless that is about to happen anyway. */
export async function dispatchSoon(
  { table, queue, now }: DispatchServices,
  carrier: CarrierName,
  { dispatch_due_at }: Switchboard,
): Promise<void> {
  const nowMs = now().getTime();
  const lapsedBy = new Date(nowMs + earlyToleranceMs);
  if (dispatch_due_at !== null && Date.parse(dispatch_due_at) > lapsedBy.getTime()) return;
  const dueAt = new Date(nowMs + dispatchDelaySeconds * 1000);
  const isOurs = await retryOnConflict(() => scheduleDispatch(table, carrier, lapsedBy, dueAt));
  if (isOurs) await enqueueCallMessage(queue, { kind: 'dispatch', carrier }, undefined, dispatchDelaySeconds);
}

interface BoardWithLanes {
  readonly board: Switchboard;
  /** Waiting tasks of the projects whose turn it is, as many as could be called at most. */
  readonly lanes: Map<string, string[]>;
}

/** Takes projects off the board that wait for nothing any more: as long as they stand there others wait for them. */
async function readLanes(services: DispatchServices, carrier: CarrierName): Promise<BoardWithLanes> {
  const { table } = services;
  const board = await getSwitchboard(table, carrier);
  const now = services.now();
  const perLane = Math.max(countFreeLines(board, services.capacities[carrier], now), 1);
  const turns = turnsOf(board).slice(0, maxLanes);
  const lanes = await findLanes(services, turns, perLane);
  const idle = turns.filter(({ projectId }) => isIdle(board, lanes, projectId, now));
  if (idle.length === 0) return { board, lanes };
  const next = withoutWaiting(
    board,
    idle.map(({ projectId }) => projectId),
  );
  await writeTransaction(table, [replaceSwitchboardItem(table, carrier, board, next)]);
  await dialOverlooked(services, idle);
  return { board: { ...next, version: board.version + 1 }, lanes };
}

function isIdle(
  { waiting }: Switchboard,
  lanes: ReadonlyMap<string, string[]>,
  projectId: string,
  now: Date,
): boolean {
  const entered = Date.parse(waiting[projectId]?.entered_at ?? '');
  return lanes.get(projectId)?.length === 0 && now.getTime() - entered > laneLagMs;
}

async function findLanes(
  { table }: DispatchServices,
  turns: readonly Turn[],
  limit: number,
): Promise<Map<string, string[]>> {
  const lanes = turns.map(
    async ({ projectId }) =>
      [projectId, await findParkedTasks(table, { kind: 'project', projectId }, limit)] as const,
  );
  return new Map(await Promise.all(lanes));
}

/** A task that came into a lane just as its project was taken off the board asks again, and puts it back. */
async function dialOverlooked(services: DispatchServices, idle: readonly Turn[]): Promise<void> {
  const lanes = await findLanes(services, idle, 1);
  await Promise.all(
    [...lanes.values()]
      .flat()
      .map((taskId) => enqueueCallMessage(services.queue, { kind: 'dial', task_id: taskId })),
  );
}
