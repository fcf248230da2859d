import { enqueueCallMessage } from '#shared/calls/call-queue.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { boundedConcurrency } from '#shared/domain/live-bounds.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import type { LineRefusal } from '#shared/switchboard/admit.ts';
import { type Switchboard, withWaiting } from '#shared/switchboard/switchboard.ts';
import {
  awaitDestinationItem,
  type DestinationLock,
  getDestinationLock,
} from '#shared/table/destination-lock.ts';
import { getSwitchboard, replaceSwitchboardItem } from '#shared/table/switchboard.ts';
import { findParkedTasks, parkTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { dispatchSoon } from './dispatch-waiting.ts';

/*
 * A task that gets no line waits in a lane. A line that is given back wakes the task that has waited longest. The due
 * time of the task covers a lost wake-up.
 */
const shortestSafetyMs = 60 * 1000;
const longestSafetyMs = 10 * 60 * 1000;

/**
 * Has the task wait for a line of its project. Together with the task its project is put on the board, unless it stands
 * there already; then many tasks can begin to wait at the same time without one write getting in the way of another.
 *
 * @param board as it was when the line was refused
 * @param next the board with the project waiting
 */
export async function waitForLine(
  services: CallServices,
  task: Task,
  project: Project,
  refused: { board: Switchboard; next: Switchboard; refusal: LineRefusal },
): Promise<void> {
  const { table } = services;
  const { board, next, refusal } = refused;
  const parked = parkedTask(task, reasonOf(refusal, project), services.now());
  const isOnBoard = next === board;
  await writeTransaction(table, [
    parkTaskItem(table, task, parked, { kind: 'project', projectId: project.id }),
    ...(isOnBoard ? [] : [replaceSwitchboardItem(table, project.carrier, board, next)]),
  ]);
  const isStillOnBoard = !isOnBoard || (await ensureOnBoard(services, project));
  if (!isStillOnBoard || isRoomLeft(refusal)) await dispatchSoon(services, project.carrier, board);
}

/** Has the task wait for the end of the call to its number. */
export async function waitForNumber(
  services: CallServices,
  task: Task,
  project: Project,
  lock: DestinationLock,
): Promise<void> {
  const { table } = services;
  const parked = parkedTask(task, 'Another call to this number is under way.', services.now());
  const lane = { kind: 'number', carrier: project.carrier, phoneNumber: task.phone_number } as const;
  const isFirst = lock.awaited_by === null;
  await writeTransaction(table, [
    parkTaskItem(table, task, parked, lane),
    ...(isFirst ? [awaitDestinationItem(table, lock, task.id)] : []),
  ]);
  if (isFirst || (await getDestinationLock(table, lock)) !== null) return;
  // The call ended just before the task stood in the lane, so its end did not wake it.
  await enqueueCallMessage(services.queue, { kind: 'dial', task_id: task.id }, project.id);
}

/** Of so many that have waited for longest one is asked next; several that leave together mostly ask different ones. */
const successorChoice = 25;

type LaneServices = Pick<CallServices, 'table' | 'queue'>;

/**
 * Wakes another task of the project instead of one that was woken and takes no line: an unused line would hold up the
 * projects behind. So a lane of tasks that cannot be called now empties at the speed of the queue, not of the carrier.
 */
export async function askNextOfProject(
  { table, queue }: LaneServices,
  task: Task,
  random: () => number = Math.random,
): Promise<void> {
  if (task.waiting_for_line_since === null) return;
  const lane = { kind: 'project', projectId: task.project_id } as const;
  const parked = await findParkedTasks(table, lane, successorChoice);
  const others = parked.filter((id) => id !== task.id);
  const next = others[Math.floor(random() * others.length)];
  if (next !== undefined) {
    await enqueueCallMessage(queue, { kind: 'dial', task_id: next }, task.project_id);
  }
}

/** The same for the number of a task that waits no longer. */
export async function askNextForNumber(
  { table, queue }: LaneServices,
  task: Task,
  { carrier }: Project,
): Promise<void> {
  if (task.waiting_for_line_since === null) return;
  const lane = { kind: 'number', carrier, phoneNumber: task.phone_number } as const;
  const parked = await findParkedTasks(table, lane, 2);
  const next = parked.find((id) => id !== task.id);
  if (next !== undefined) await enqueueCallMessage(queue, { kind: 'dial', task_id: next });
}

/** False when the project had been taken off the board just before the task stood in its lane, and is back on it. */
async function ensureOnBoard({ table, now }: CallServices, project: Project): Promise<boolean> {
  const board = await getSwitchboard(table, project.carrier);
  if (board.waiting[project.id] !== undefined) return true;
  const next = withWaiting(board, project.id, boundedConcurrency(project), now());
  await writeTransaction(table, [replaceSwitchboardItem(table, project.carrier, board, next)]);
  return false;
}

function parkedTask(
  task: Task,
  reason: string,
  now: Date,
): Task & { readonly waiting_for_line_since: string } {
  const since = task.waiting_for_line_since ?? now.toISOString();
  const halfWaitedMs = (now.getTime() - Date.parse(since)) / 2;
  const safetyMs = Math.min(Math.max(halfWaitedMs, shortestSafetyMs), longestSafetyMs);
  return {
    ...task,
    waiting_for_line_since: since,
    next_attempt_at: new Date(now.getTime() + safetyMs).toISOString(),
    next_attempt_reason: reason,
    updated_at: now.toISOString(),
  };
}

/** Whether lines are free all the same, so that no release may be coming. */
function isRoomLeft(refusal: LineRefusal): boolean {
  switch (refusal) {
    case 'fair-share':
    case 'queue':
    case 'pace':
      return true;
    case 'project-limit':
    case 'carrier-limit':
      return false;
  }
}

function reasonOf(refusal: LineRefusal, project: Project): string {
  const lines = boundedConcurrency(project);
  switch (refusal) {
    case 'project-limit':
      return lines === 1
        ? 'The only line of the project is busy.'
        : `All ${lines} lines of the project are busy.`;
    case 'carrier-limit':
      return 'All lines to the telephone carrier are busy.';
    case 'fair-share':
      return 'Projects with fewer calls under way come first.';
    case 'queue':
      return 'Other tasks of the project have waited for longer.';
    case 'pace':
      return 'The telephone carrier takes calls one after the other only.';
  }
}
