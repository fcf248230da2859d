import type { CallMessage, DialMessage } from '#shared/calls/call-message.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import type { CallCapacity } from '#shared/domain/call-capacity.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import { getCallCapacity, replaceCallCapacityItem, scheduleDispatch } from '#shared/table/call-capacity.ts';
import type { WaitQueue } from '#shared/table/indexes.ts';
import {
  type DialedLine,
  getLine,
  type Line,
  replaceLineItem,
  scheduleLineDispatch,
} from '#shared/table/line.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';
import { type CarrierLimits, slotsOf } from './capacity.ts';

/** The slots of a pool: used, waited for, limited. */
export interface PoolState {
  readonly capacity: CallCapacity;
  /** How many waiting tasks may be called now. */
  readonly limits: CarrierLimits;
  /** Replaces the waiting projects if nothing has changed since. */
  readonly replaceWaiting: (waiting: CallCapacity['waiting']) => TransactionItem;
}

/** Slots that projects share: concurrent calls of a carrier or of a number. */
export interface SlotPool {
  read(): Promise<PoolState>;
  waitQueue(projectId: string): WaitQueue;
  /** Whether the caller should send the message; true for only one of concurrent callers. */
  scheduleDispatch(lapsedBy: Date, dueAt: Date): Promise<boolean>;
  /** The message that allocates the free slots. */
  readonly message: CallMessage;
  /** The message that dials a task of the wait queues. */
  dialMessage(taskId: string): DialMessage;
}

type PoolServices = Pick<CallServices, 'table' | 'carrierLimits' | 'now'>;

export function carrierPool({ table, carrierLimits }: PoolServices, carrier: CarrierName): SlotPool {
  return {
    read: async () => {
      const capacity = await getCallCapacity(table, carrier);
      return {
        capacity,
        limits: carrierLimits[carrier],
        replaceWaiting: (waiting) =>
          replaceCallCapacityItem(table, carrier, capacity, { ...capacity, waiting }),
      };
    },
    waitQueue: (projectId) => ({ kind: 'project', projectId }),
    scheduleDispatch: (lapsedBy, dueAt) => scheduleDispatch(table, carrier, lapsedBy, dueAt),
    message: { kind: 'dispatch', carrier },
    dialMessage: dialFromCarrierQueue,
  };
}

/**
 * Dials a task of the carrier's wait queues. It was let through at its number before, and keeps that turn: if number
 * and carrier both went by order only, two projects could each wait for the other forever.
 */
export function dialFromCarrierQueue(taskId: string): DialMessage {
  return { kind: 'dial', task_id: taskId, waited_at_carrier: true };
}

/** @param taskId a task that calls the number and represents it in messages, because queues hold no numbers */
export function linePool(
  { table, carrierLimits, now }: PoolServices,
  dialed: DialedLine,
  taskId: string,
): SlotPool {
  const { carrier, phone_number: phoneNumber } = dialed;
  return {
    read: async () => {
      const line = await getLine(table, dialed);
      const isAwaited = Object.keys(line.capacity.waiting).length > 0;
      const atCarrier = isAwaited ? await getCallCapacity(table, carrier) : null;
      return {
        ...(atCarrier === null
          ? { capacity: line.capacity, limits: lineLimits(line.maxCalls, null) }
          : throughCarrier(line, atCarrier, carrierLimits[carrier])),
        replaceWaiting: (waiting) =>
          replaceLineItem(table, line, { waiting, maxCalls: line.maxCalls }, now()),
      };
    },
    waitQueue: (projectId) => ({ kind: 'number', carrier, phoneNumber, projectId }),
    scheduleDispatch: (lapsedBy, dueAt) => scheduleLineDispatch(table, dialed, lapsedBy, dueAt),
    message: { kind: 'dispatch-line', carrier, task_id: taskId },
    dialMessage: (waitingTaskId) => ({ kind: 'dial', task_id: waitingTaskId }),
  };
}

/** The limits of a line. @param atCarrier capacity at its carrier, whose limits may keep projects from calling */
export function lineLimits(maxCalls: number, atCarrier: CallCapacity | null): CarrierLimits {
  return { maxCalls, callsPerSecond: Number.POSITIVE_INFINITY, passedOver: projectsAtLimit(atCarrier) };
}

/**
 * The line's capacity and limits, at the carrier's pace. Ignores whether carrier or project has a slot left: a task
 * that gets none there waits there and is woken by the next release. At a free line nothing would wake it.
 */
function throughCarrier(
  { capacity, maxCalls }: Line,
  atCarrier: CallCapacity,
  { callsPerSecond }: CarrierLimits,
): Pick<PoolState, 'capacity' | 'limits'> {
  return {
    capacity: { ...capacity, next_slot_at: atCarrier.next_slot_at },
    limits: { maxCalls, callsPerSecond },
  };
}

/** Projects at their own limit. They try again when one of their calls releases its slot at the carrier. */
function projectsAtLimit(atCarrier: CallCapacity | null): ReadonlySet<string> {
  if (atCarrier === null) return new Set();
  const waiting = Object.entries(atCarrier.waiting);
  return new Set(waiting.flatMap(([id, { limit }]) => (slotsOf(atCarrier, id) >= limit ? [id] : [])));
}
