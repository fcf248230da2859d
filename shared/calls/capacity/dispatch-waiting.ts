import { enqueueCallMessage } from '#shared/calls/call-queue.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import type { CallCapacity } from '#shared/domain/call-capacity.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { findQueuedTasks, getTask } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { allocateSlots, countFreeSlots } from './allocate-slots.ts';
import { type ProjectShare, sharesOf, slotsInUse, withoutWaiting } from './capacity.ts';
import { linePool, type PoolState, type SlotPool } from './slot-pool.ts';

type DispatchServices = Pick<CallServices, 'table' | 'queue' | 'carrierLimits' | 'now'>;

/** Until the next attempt to match free slots with waiting tasks. */
const dispatchDelaySeconds = 1;
/** A message this much early, by another clock, may still schedule the next one. */
const earlyToleranceMs = 500;
/** The wait queue's index lags behind writes: a queue opened this recently may only look empty. */
const queueLagMs = 2_000;
/** Wait queues read at once; those behind them follow when it is their turn. */
const maxWaitQueues = 25;

/**
 * Allocates the free slots of a carrier or line: dials as many waiting tasks as there are free slots, in the order of
 * the projects' turns. Every task still has to claim its slot. Reschedules itself while tasks wait although slots are
 * free.
 */
export async function dispatchWaiting(services: DispatchServices, pool: SlotPool): Promise<void> {
  const { capacity, limits, queues } = await retryOnConflict(() => readWaitQueues(services, pool));
  const taskIds = allocateSlots(capacity, queues, limits, services.now());
  await enqueueDials(services, pool, taskIds);
  annotateLog({ dispatched: taskIds.length, projects_waiting: Object.keys(capacity.waiting).length });
  // Without free slots nothing is scheduled: the next call that ends dispatches.
  const hasRoom = sharesOf(capacity, limits).length > 0 && slotsInUse(capacity) < limits.maxCalls;
  if (hasRoom) await dispatchSoon(services, pool, capacity);
}

/** As `dispatchWaiting`, for the number that a task calls. Does nothing if the task has been erased. */
export async function dispatchForTask(
  services: DispatchServices,
  carrier: CarrierName,
  taskId: string,
): Promise<void> {
  const task = await getTask(services.table, taskId);
  if (task === null) return;
  const dialed = { carrier, phone_number: task.phone_number };
  await dispatchWaiting(services, linePool(services, dialed, taskId));
}

/** Schedules allocation of the free slots, unless that is imminent anyway. */
export async function dispatchSoon(
  { queue, now }: Pick<DispatchServices, 'queue' | 'now'>,
  pool: SlotPool,
  { dispatch_due_at }: CallCapacity,
): Promise<void> {
  const nowMs = now().getTime();
  const lapsedBy = new Date(nowMs + earlyToleranceMs);
  if (dispatch_due_at !== null && Date.parse(dispatch_due_at) > lapsedBy.getTime()) return;
  const dueAt = new Date(nowMs + dispatchDelaySeconds * 1000);
  const isOurs = await retryOnConflict(() => pool.scheduleDispatch(lapsedBy, dueAt));
  if (isOurs) await enqueueCallMessage(queue, pool.message, undefined, dispatchDelaySeconds);
}

interface StateWithQueues extends Pick<PoolState, 'capacity' | 'limits'> {
  /** Waiting tasks of the projects whose turn it is, at most as many as could be called. */
  readonly queues: Map<string, string[]>;
}

/** Removes projects without waiting tasks from the pool, because others would wait for them. */
async function readWaitQueues(services: DispatchServices, pool: SlotPool): Promise<StateWithQueues> {
  const { table } = services;
  const { capacity, limits, replaceWaiting } = await pool.read();
  const now = services.now();
  const perQueue = Math.max(countFreeSlots(capacity, limits, now), 1);
  const shares = sharesOf(capacity, limits).slice(0, maxWaitQueues);
  const queues = await findWaitQueues(services, pool, shares, perQueue);
  const idle = shares.filter(({ projectId }) => isIdle(capacity, queues, projectId, now));
  if (idle.length === 0) return { capacity, limits, queues };
  const next = withoutWaiting(
    capacity,
    idle.map(({ projectId }) => projectId),
  );
  await writeTransaction(table, [replaceWaiting(next.waiting)]);
  await dialOverlooked(services, pool, idle);
  return { capacity: { ...next, version: capacity.version + 1 }, limits, queues };
}

function isIdle(
  { waiting }: CallCapacity,
  queues: ReadonlyMap<string, string[]>,
  projectId: string,
  now: Date,
): boolean {
  const entered = Date.parse(waiting[projectId]?.entered_at ?? '');
  return queues.get(projectId)?.length === 0 && now.getTime() - entered > queueLagMs;
}

async function findWaitQueues(
  { table }: Pick<DispatchServices, 'table'>,
  pool: SlotPool,
  shares: readonly ProjectShare[],
  limit: number,
): Promise<Map<string, string[]>> {
  const queues = shares.map(
    async ({ projectId }) =>
      [projectId, await findQueuedTasks(table, pool.waitQueue(projectId), limit)] as const,
  );
  return new Map(await Promise.all(queues));
}

/** A task that joins the wait queue just as its project leaves the pool puts it back. */
async function dialOverlooked(
  services: DispatchServices,
  pool: SlotPool,
  idle: readonly ProjectShare[],
): Promise<void> {
  const queues = await findWaitQueues(services, pool, idle, 1);
  await enqueueDials(services, pool, [...queues.values()].flat());
}

async function enqueueDials(
  { queue }: Pick<DispatchServices, 'queue'>,
  pool: SlotPool,
  taskIds: readonly string[],
): Promise<void> {
  await Promise.all(taskIds.map((taskId) => enqueueCallMessage(queue, pool.dialMessage(taskId))));
}
