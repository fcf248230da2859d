import { allocateSlots, countFreeSlots } from '#shared/call-capacity/allocate-slots.ts';
import { type ProjectShare, sharesOf, slotsInUse, withoutWaiting } from '#shared/call-capacity/capacity.ts';
import { enqueueCallMessage } from '#shared/calls/call-queue.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import type { CallCapacity } from '#shared/domain/switchboard.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { getCallCapacity, replaceCallCapacityItem, scheduleDispatch } from '#shared/table/call-capacity.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { findQueuedTasks } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';

type DispatchServices = Pick<CallServices, 'table' | 'queue' | 'carrierLimits' | 'now'>;

/** Until the next look at slots that are free and tasks that wait, which could not be brought together yet. */
const dispatchDelaySeconds = 1;
/** A message that comes this much before its time, by another clock, may still send the next one. */
const earlyToleranceMs = 500;
/** A wait queue lags behind what was written: one that looks empty this soon after it was opened may not be. */
const queueLagMs = 2_000;
/** Wait queues that are looked into at once; those behind them come first when it is their turn. */
const maxWaitQueues = 25;

/**
 * Allocates the free slots of a carrier: has just so many waiting tasks dialled as there are slots for, in the order in
 * which the projects come to their turn. Every task still has to ask for its slot. As long as tasks wait although slots
 * are free, it has itself called again.
 */
export async function dispatchWaiting(services: DispatchServices, carrier: CarrierName): Promise<void> {
  const { usage, queues } = await retryOnConflict(() => readWaitQueues(services, carrier));
  const limits = services.carrierLimits[carrier];
  const taskIds = allocateSlots(usage, queues, limits, services.now());
  await Promise.all(
    taskIds.map((taskId) => enqueueCallMessage(services.queue, { kind: 'dial', task_id: taskId })),
  );
  annotateLog({ dispatched: taskIds.length, projects_waiting: Object.keys(usage.waiting).length });
  // Without room nothing is scheduled: the next call that ends dispatches.
  const hasRoom = sharesOf(usage).length > 0 && slotsInUse(usage) < limits.maxCalls;
  if (hasRoom) await dispatchSoon(services, carrier, usage);
}

/** Has the free slots allocated in a moment, unless that is about to happen anyway. */
export async function dispatchSoon(
  { table, queue, now }: DispatchServices,
  carrier: CarrierName,
  { dispatch_due_at }: CallCapacity,
): Promise<void> {
  const nowMs = now().getTime();
  const lapsedBy = new Date(nowMs + earlyToleranceMs);
  if (dispatch_due_at !== null && Date.parse(dispatch_due_at) > lapsedBy.getTime()) return;
  const dueAt = new Date(nowMs + dispatchDelaySeconds * 1000);
  const isOurs = await retryOnConflict(() => scheduleDispatch(table, carrier, lapsedBy, dueAt));
  if (isOurs) await enqueueCallMessage(queue, { kind: 'dispatch', carrier }, undefined, dispatchDelaySeconds);
}

interface CapacityWithQueues {
  readonly usage: CallCapacity;
  /** Waiting tasks of the projects whose turn it is, as many as could be called at most. */
  readonly queues: Map<string, string[]>;
}

/**
 * Takes projects out of the call capacity that wait for nothing any more: as long as they stand there others
 * wait for them.
 */
async function readWaitQueues(services: DispatchServices, carrier: CarrierName): Promise<CapacityWithQueues> {
  const { table } = services;
  const usage = await getCallCapacity(table, carrier);
  const now = services.now();
  const perQueue = Math.max(countFreeSlots(usage, services.carrierLimits[carrier], now), 1);
  const shares = sharesOf(usage).slice(0, maxWaitQueues);
  const queues = await findWaitQueues(services, shares, perQueue);
  const idle = shares.filter(({ projectId }) => isIdle(usage, queues, projectId, now));
  if (idle.length === 0) return { usage, queues };
  const next = withoutWaiting(
    usage,
    idle.map(({ projectId }) => projectId),
  );
  await writeTransaction(table, [replaceCallCapacityItem(table, carrier, usage, next)]);
  await dialOverlooked(services, idle);
  return { usage: { ...next, version: usage.version + 1 }, queues };
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
  { table }: DispatchServices,
  shares: readonly ProjectShare[],
  limit: number,
): Promise<Map<string, string[]>> {
  const queues = shares.map(
    async ({ projectId }) =>
      [projectId, await findQueuedTasks(table, { kind: 'project', projectId }, limit)] as const,
  );
  return new Map(await Promise.all(queues));
}

/**
 * A task that came into a wait queue just as its project was taken out of the call capacity asks again, and
 * puts it back.
 */
async function dialOverlooked(services: DispatchServices, idle: readonly ProjectShare[]): Promise<void> {
  const queues = await findWaitQueues(services, idle, 1);
  await Promise.all(
    [...queues.values()]
      .flat()
      .map((taskId) => enqueueCallMessage(services.queue, { kind: 'dial', task_id: taskId })),
  );
}
