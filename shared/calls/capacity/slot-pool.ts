import { type CarrierLimits, slotsInUse, slotsOf } from '#shared/call-capacity/capacity.ts';
import type { CallMessage } from '#shared/calls/call-message.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import type { CallCapacity } from '#shared/domain/switchboard.ts';
import { getCallCapacity, replaceCallCapacityItem, scheduleDispatch } from '#shared/table/call-capacity.ts';
import type { WaitQueue } from '#shared/table/indexes.ts';
import {
  type Destination,
  getLine,
  type Line,
  replaceLineItem,
  scheduleLineDispatch,
} from '#shared/table/line.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';

/** How the slots of a pool stand. */
export interface PoolState {
  readonly usage: CallCapacity;
  /** How many of the waiting tasks may be called now. */
  readonly limits: CarrierLimits;
  /** Replaces the projects that wait, if nothing has changed since. */
  readonly replaceWaiting: (waiting: CallCapacity['waiting']) => TransactionItem;
}

/** Slots that projects share: the calls that a carrier takes, or those that a number takes. */
export interface SlotPool {
  read(): Promise<PoolState>;
  waitQueue(projectId: string): WaitQueue;
  /** Whether the caller is to send the message: of many who would, one is. */
  scheduleDispatch(lapsedBy: Date, dueAt: Date): Promise<boolean>;
  /** Has the free slots allocated. */
  readonly message: CallMessage;
}

type PoolServices = Pick<CallServices, 'table' | 'carrierLimits' | 'now'>;

export function carrierPool({ table, carrierLimits }: PoolServices, carrier: CarrierName): SlotPool {
  return {
    read: async () => {
      const usage = await getCallCapacity(table, carrier);
      return {
        usage,
        limits: carrierLimits[carrier],
        replaceWaiting: (waiting) => replaceCallCapacityItem(table, carrier, usage, { ...usage, waiting }),
      };
    },
    waitQueue: (projectId) => ({ kind: 'project', projectId }),
    scheduleDispatch: (lapsedBy, dueAt) => scheduleDispatch(table, carrier, lapsedBy, dueAt),
    message: { kind: 'dispatch', carrier },
  };
}

/** @param taskId a task that calls the number, which stands for it in messages: a queue holds no number */
export function linePool(
  { table, carrierLimits, now }: PoolServices,
  destination: Destination,
  taskId: string,
): SlotPool {
  const { carrier, phone_number: phoneNumber } = destination;
  return {
    read: async () => {
      const line = await getLine(table, destination);
      const isAwaited = Object.keys(line.usage.waiting).length > 0;
      const atCarrier = isAwaited ? await getCallCapacity(table, carrier) : null;
      return {
        ...(atCarrier === null
          ? { usage: line.usage, limits: lineLimits(line.maxCalls, null) }
          : throughCarrier(line, atCarrier, carrierLimits[carrier])),
        replaceWaiting: (waiting) =>
          replaceLineItem(table, line, { waiting, maxCalls: line.maxCalls }, now()),
      };
    },
    waitQueue: (projectId) => ({ kind: 'number', carrier, phoneNumber, projectId }),
    scheduleDispatch: (lapsedBy, dueAt) => scheduleLineDispatch(table, destination, lapsedBy, dueAt),
    message: { kind: 'dispatch-line', carrier, task_id: taskId },
  };
}

/** What a line takes by itself. @param atCarrier how its carrier stands, where it may keep a project from calling */
export function lineLimits(maxCalls: number, atCarrier: CallCapacity | null): CarrierLimits {
  return { maxCalls, callsPerSecond: Number.POSITIVE_INFINITY, passedOver: projectsAtLimit(atCarrier) };
}

/** The line as far as the carrier lets it be called: tasks that it would refuse stay in their queue. */
function throughCarrier(
  { usage, maxCalls }: Line,
  atCarrier: CallCapacity,
  limits: CarrierLimits,
): Pick<PoolState, 'usage' | 'limits'> {
  const freeAtCarrier = Math.max(limits.maxCalls - slotsInUse(atCarrier), 0);
  return {
    usage: { ...usage, next_slot_at: atCarrier.next_slot_at },
    limits: {
      maxCalls: Math.min(maxCalls, slotsInUse(usage) + freeAtCarrier),
      callsPerSecond: limits.callsPerSecond,
      passedOver: projectsAtLimit(atCarrier),
    },
  };
}

/** Projects that wait for the end of a call of their own; a slot at the carrier has them asked again. */
function projectsAtLimit(atCarrier: CallCapacity | null): ReadonlySet<string> {
  if (atCarrier === null) return new Set();
  const waiting = Object.entries(atCarrier.waiting);
  return new Set(waiting.flatMap(([id, { limit }]) => (slotsOf(atCarrier, id) >= limit ? [id] : [])));
}
