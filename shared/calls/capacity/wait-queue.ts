import { enqueueCallMessage } from '#shared/calls/call-queue.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { retryWaitMs } from '#shared/calls/retry-wait.ts';
import type { CallCapacity } from '#shared/domain/call-capacity.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { timestampAfter } from '#shared/domain/time.ts';
import { enqueueTaskItem, findQueuedTasks } from '#shared/table/task.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import type { SlotRefusal } from './admit.ts';
import { withWaiting } from './capacity.ts';
import { dispatchSoon } from './dispatch-waiting.ts';
import { wakeForLine } from './held-slot.ts';
import { dialFromCarrierQueue, type SlotPool } from './slot-pool.ts';

/*
 * A task that gets no slot waits in a wait queue. A released slot wakes the longest-waiting task. The task's due time
 * covers a lost wake-up.
 */
const shortestSafetyMs = 60 * 1000;
const longestSafetyMs = 10 * 60 * 1000;

/** A pool that refused a slot. */
export interface RefusedBy {
  readonly pool: SlotPool;
  /** Why, as a sentence. */
  readonly reason: string;
  readonly refusal: SlotRefusal;
  /** The capacity that the refusal was based on. */
  readonly capacity: CallCapacity;
  /** Adds the project to the pool's waiting ones; null if it is already there. */
  readonly enter: TransactionItem | null;
}

/**
 * Queues the task for a slot. Unless it is already there, the same transaction adds its project to the pool's waiting
 * ones, so that many tasks can start to wait at once without write conflicts.
 *
 * @param limit how many slots of the pool the project may hold
 */
export async function queueForSlot(
  services: CallServices,
  task: Task,
  limit: number,
  { pool, reason, refusal, capacity, enter }: RefusedBy,
): Promise<void> {
  const { table } = services;
  const queued = queuedTask(task, reason, services.now());
  await writeTransaction(table, [
    enqueueTaskItem(table, task, queued, pool.waitQueue(task.project_id)),
    ...(enter === null ? [] : [enter]),
  ]);
  const isStillThere = enter !== null || (await ensureProjectWaits(services, pool, task.project_id, limit));
  if (!isStillThere || areSlotsFree(refusal)) await dispatchSoon(services, pool, capacity);
}

/**
 * How many of the longest-waiting tasks the next one is drawn from, so that calls ending together rarely draw the
 * same.
 */
const successorChoice = 25;

type WaitQueueServices = Pick<CallServices, 'table' | 'queue'>;

/**
 * Wakes another task of the project in place of one that was woken and takes no slot: an unused slot would hold up the
 * projects behind. So a wait queue of uncallable tasks drains at the speed of the queue, not of the carrier.
 */
export async function askNextOfProject({ table, queue }: WaitQueueServices, task: Task): Promise<void> {
  if (task.waiting_for_line_since === null) return;
  const waitQueue = { kind: 'project', projectId: task.project_id } as const;
  const queued = await findQueuedTasks(table, waitQueue, successorChoice);
  const others = queued.filter((id) => id !== task.id);
  const next = others[Math.floor(Math.random() * others.length)];
  if (next !== undefined) {
    await enqueueCallMessage(queue, dialFromCarrierQueue(next), task.project_id);
  }
}

/** The same for the number of a task that no longer waits. */
export async function askNextForNumber(
  services: WaitQueueServices,
  { id, phone_number, waiting_for_line_since }: Task,
  { carrier }: Project,
): Promise<void> {
  if (waiting_for_line_since === null) return;
  await wakeForLine(services, { carrier, phone_number, task_id: id });
}

/** False when the project had left the pool just before the task was queued, and had to be put back. */
async function ensureProjectWaits(
  { table, now }: CallServices,
  pool: SlotPool,
  projectId: string,
  limit: number,
): Promise<boolean> {
  const { capacity, replaceWaiting } = await pool.read();
  if (capacity.waiting[projectId] !== undefined) return true;
  await writeTransaction(table, [replaceWaiting(withWaiting(capacity, projectId, limit, now()).waiting)]);
  return false;
}

function queuedTask(
  task: Task,
  reason: string,
  now: Date,
): Task & { readonly waiting_for_line_since: string } {
  const since = task.waiting_for_line_since ?? now.toISOString();
  const safetyMs = retryWaitMs(now.getTime() - Date.parse(since), longestSafetyMs, shortestSafetyMs);
  return {
    ...task,
    waiting_for_line_since: since,
    next_attempt_at: timestampAfter(now, safetyMs),
    next_attempt_reason: reason,
    updated_at: now.toISOString(),
  };
}

/** Whether slots are free nevertheless, so that no release may be coming. */
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
