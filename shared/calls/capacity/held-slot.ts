import { enqueueCallMessage } from '#shared/calls/call-queue.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import type { Call } from '#shared/domain/call.ts';
import { logError } from '#shared/observability/log.ts';
import { getCallCapacity, releaseSlotItem } from '#shared/table/call-capacity.ts';
import type { Table } from '#shared/table/client.ts';
import {
  type DialedLine,
  getLine,
  type HeldSlot,
  releaseLineItem,
  rememberPastCallItem,
} from '#shared/table/line.ts';
import { endNumberCallItem, uncountNumberCallItem } from '#shared/table/number-calls.ts';
import { countTalkItem, uncountProjectCallItem } from '#shared/table/project-usage.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';

/** The project and number by which the call holds its slots; null when it holds none. */
export async function findHeldSlot(table: Table, call: Call): Promise<HeldSlot | null> {
  return (await getLine(table, call)).calls.get(call.id) ?? null;
}

/**
 * Releases the slots at carrier and number in the transaction that ends or reverts the call. A call leaves its line
 * once, so each slot is released once.
 *
 * @param pausedUntil when the carrier takes calls again, if it has said so
 */
export function releaseSlotItems(
  table: Table,
  held: HeldSlot | null,
  pausedUntil: Date | null = null,
): TransactionItem[] {
  if (held === null) return [];
  return [releaseLineItem(table, held), releaseSlotItem(table, held.carrier, held.project_id, pausedUntil)];
}

/** What a live call's end adds to the counts: when its number became free, and the talk time. */
export function countedEndItems(
  table: Table,
  held: HeldSlot | null,
  talkSeconds: number,
  now: Date,
): TransactionItem[] {
  if (held === null || held.counted_on === null) return [];
  return [
    endNumberCallItem(table, held, now),
    countTalkItem(table, held.project_id, held.counted_on, talkSeconds),
  ];
}

/** Reverts the counts of a live call that the carrier did nothing with. */
export function uncountItems(table: Table, held: HeldSlot): TransactionItem[] {
  if (held.counted_on === null) return [];
  return [
    uncountNumberCallItem(table, held),
    uncountProjectCallItem(table, held.project_id, held.counted_on),
  ];
}

/** Remembers a finished call, because the next call to its number follows at once and must not be mistaken for it. */
export function pastCallItems(table: Table, ended: Call | null, now: Date): TransactionItem[] {
  if (ended === null || ended.carrier_call_sid === null) return [];
  return [rememberPastCallItem(table, ended, ended.carrier_call_sid, now)];
}

type WakeServices = Pick<CallServices, 'table' | 'queue'>;

/**
 * Wakes the tasks that wait for the released slot. Best effort: every waiting task has its own due time, so a failure
 * here must not look like a failure of the preceding write.
 */
export async function wakeWaiting(services: WakeServices, held: HeldSlot | null): Promise<void> {
  if (held === null) return;
  const outcomes = await Promise.allSettled([wakeForLine(services, held), wakeForSlot(services, held)]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') logError('waiting-task-not-woken', outcome.reason);
  }
}

/** Allocates the free slots of the number that a task calls, if any project waits for one. */
export async function wakeForLine(
  { table, queue }: WakeServices,
  { carrier, phone_number, task_id }: DialedLine & { readonly task_id: string },
): Promise<void> {
  const { capacity } = await getLine(table, { carrier, phone_number });
  if (Object.keys(capacity.waiting).length === 0) return;
  await enqueueCallMessage(queue, { kind: 'dispatch-line', carrier, task_id });
}

async function wakeForSlot({ table, queue }: WakeServices, { carrier }: HeldSlot): Promise<void> {
  const { waiting } = await getCallCapacity(table, carrier);
  if (Object.keys(waiting).length > 0) await enqueueCallMessage(queue, { kind: 'dispatch', carrier });
}
