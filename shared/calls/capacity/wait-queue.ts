import type { SlotRefusal } from '#shared/call-capacity/admit.ts';
import { withWaiting } from '#shared/call-capacity/capacity.ts';
import { enqueueCallMessage } from '#shared/calls/call-queue.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { numberBusyReason, refusalReason } from '#shared/calls/dial/dial-rules.ts';
import { boundedConcurrency } from '#shared/domain/live-bounds.ts';
import type { Project } from '#shared/domain/project.ts';
import type { CallCapacity } from '#shared/domain/switchboard.ts';
import type { Task } from '#shared/domain/task.ts';
import { getCallCapacity, replaceCallCapacityItem } from '#shared/table/call-capacity.ts';
import {
  awaitDestinationItem,
  type DestinationLock,
  getDestinationLock,
} from '#shared/table/destination-lock.ts';
import { enqueueTaskItem, findQueuedTasks } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { dispatchSoon } from './dispatch-waiting.ts';

/*
 * A task that gets no slot waits in a wait queue. A slot that is given back wakes the task that has waited
 * longest. The due time of the task covers a lost wake-up.
 */
const shortestSafetyMs = 60 * 1000;
const longestSafetyMs = 10 * 60 * 1000;

/**
 * Has the task wait for a slot of its project. Together with the task its project is put in the call
 * capacity, unless it stands there already; then many tasks can begin to wait at the same time without one
 * write getting in the way of another.
 *
 * @param usage as it was when the slot was refused
 * @param next the call capacity with the project waiting
 */
export async function queueForSlot(
  services: CallServices,
  task: Task,
  project: Project,
  refused: { usage: CallCapacity; next: CallCapacity; refusal: SlotRefusal },
): Promise<void> {
  const { table } = services;
  const { usage, next, refusal } = refused;
  const queued = queuedTask(task, refusalReason(refusal, project), services.now());
  const isOnBoard = next === usage;
  await writeTransaction(table, [
    enqueueTaskItem(table, task, queued, { kind: 'project', projectId: project.id }),
    ...(isOnBoard ? [] : [replaceCallCapacityItem(table, project.carrier, usage, next)]),
  ]);
  const isStillOnBoard = !isOnBoard || (await ensureProjectWaits(services, project));
  if (!isStillOnBoard || areSlotsFree(refusal)) await dispatchSoon(services, project.carrier, usage);
}

/** Has the task wait for the end of the call to its number. */
export async function queueForNumber(
  services: CallServices,
  task: Task,
  project: Project,
  lock: DestinationLock,
): Promise<void> {
  const { table } = services;
  const queued = queuedTask(task, numberBusyReason, services.now());
  const waitQueue = { kind: 'number', carrier: project.carrier, phoneNumber: task.phone_number } as const;
  const isFirst = lock.awaited_by === null;
  await writeTransaction(table, [
    enqueueTaskItem(table, task, queued, waitQueue),
    ...(isFirst ? [awaitDestinationItem(table, lock, task.id)] : []),
  ]);
  if (isFirst || (await getDestinationLock(table, lock)) !== null) return;
  // The call ended just before the task stood in the wait queue, so its end did not wake it.
  await enqueueCallMessage(services.queue, { kind: 'dial', task_id: task.id }, project.id);
}

/** Of so many that have waited for longest one is asked next; several that leave together mostly ask different ones. */
const successorChoice = 25;

type WaitQueueServices = Pick<CallServices, 'table' | 'queue'>;

/**
 * Wakes another task of the project instead of one that was woken and takes no slot: an unused slot would
 * hold up the projects behind. So a wait queue of tasks that cannot be called now empties at the speed of the
 * queue, not of the carrier.
 */
export async function askNextOfProject(
  { table, queue }: WaitQueueServices,
  task: Task,
  random: () => number = Math.random,
): Promise<void> {
  if (task.waiting_for_line_since === null) return;
  const waitQueue = { kind: 'project', projectId: task.project_id } as const;
  const queued = await findQueuedTasks(table, waitQueue, successorChoice);
  const others = queued.filter((id) => id !== task.id);
  const next = others[Math.floor(random() * others.length)];
  if (next !== undefined) {
    await enqueueCallMessage(queue, { kind: 'dial', task_id: next }, task.project_id);
  }
}

/** The same for the number of a task that waits no longer. */
export async function askNextForNumber(
  { table, queue }: WaitQueueServices,
  task: Task,
  { carrier }: Project,
): Promise<void> {
  if (task.waiting_for_line_since === null) return;
  const waitQueue = { kind: 'number', carrier, phoneNumber: task.phone_number } as const;
  const queued = await findQueuedTasks(table, waitQueue, 2);
  const next = queued.find((id) => id !== task.id);
  if (next !== undefined) await enqueueCallMessage(queue, { kind: 'dial', task_id: next });
}

/**
 * False when the project had been taken out of the call capacity just before the task stood in its wait
 * queue, and is back in it.
 */
async function ensureProjectWaits({ table, now }: CallServices, project: Project): Promise<boolean> {
  const usage = await getCallCapacity(table, project.carrier);
  if (usage.waiting[project.id] !== undefined) return true;
  const next = withWaiting(usage, project.id, boundedConcurrency(project), now());
  await writeTransaction(table, [replaceCallCapacityItem(table, project.carrier, usage, next)]);
  return false;
}

function queuedTask(
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

/** Whether slots are free all the same, so that no release may be coming. */
function areSlotsFree(refusal: SlotRefusal): boolean {
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
