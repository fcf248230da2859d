import { toEntry } from '#shared/audit/access-entry.ts';
import { callClaimed } from '#shared/audit/actions.ts';
import { findHeldSlot, releaseSlotItems, uncountItems } from '#shared/calls/capacity/held-slot.ts';
import type { Call } from '#shared/domain/call.ts';
import type { CallCapacity } from '#shared/domain/call-capacity.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { OptOutList } from '#shared/domain/opt-out.ts';
import type { Project } from '#shared/domain/project.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { auditEntryItem } from '#shared/table/audit-log.ts';
import { createCallItem, deleteCallItem, getCall } from '#shared/table/call.ts';
import { replaceCallCapacityItem } from '#shared/table/call-capacity.ts';
import type { Table } from '#shared/table/client.ts';
import { type HeldSlot, type Line, type LineChange, replaceLineItem } from '#shared/table/line.ts';
import { checkNoOptOutItems } from '#shared/table/opt-out.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { getTask, replaceTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { countCallItems, type LiveCounts } from './live-limits.ts';
import { newCall } from './new-call.ts';

/** Allowed clock skew between machines: a task due a moment from now is due. */
const clockToleranceMs = 5_000;

/**
 * Whether a call of the task is due. A task that waits for a slot may be dialed at any time, because only a free slot
 * triggers the attempt.
 */
export function isDialDue(task: Task, now: Date): boolean {
  if (isTerminalTaskStatus(task.status) || task.current_call_id !== null) return false;
  if (task.next_attempt_at === null) return false;
  // The client's time is a promise: it has no tolerance.
  if (task.call_after !== undefined && task.call_after > now.toISOString()) return false;
  return (
    task.waiting_for_line_since !== null ||
    Date.parse(task.next_attempt_at) <= now.getTime() + clockToleranceMs
  );
}

/** Each call is audited: its agent may disclose the patient's data to the person who answers. */
const callRunner = { kind: 'service', function: 'call-runner' } as const;

/** The attempt, and the lists that must not contain its number. */
export interface CallToClaim {
  readonly task: Task;
  readonly project: Project;
  readonly optOutLists?: readonly OptOutList[];
}

/** What a call claims besides the attempt: a slot at the carrier and one at the number. */
export interface SlotTaken {
  /** The call capacity that the slot was granted from. */
  readonly capacity: CallCapacity;
  /** The call capacity with the slot taken. */
  readonly next: CallCapacity;
  /** How often number and project have called; null for an uncounted call. */
  readonly counts: LiveCounts | null;
  /** The line as read for the slot at the number, and its waiting projects after the claim. */
  readonly line: { readonly read: Line; readonly change: LineChange };
}

/**
 * Claims the task's next attempt: creates its call, makes it the task's current one, takes a slot at carrier and
 * number, and counts a live call, all or nothing. One of concurrent callers gets the call. Throws
 * `TransactionConditionFailed` when task, call capacity, line, counts or opt-outs have changed since they were read;
 * read them again and retry.
 */
export async function claimCall(
  table: Table,
  { task, project, optOutLists = [project.id] }: CallToClaim,
  { capacity, next, counts, line }: SlotTaken,
  now: Date,
): Promise<Call> {
  const call = newCall(task, project, now, uuidv7());
  const claimed: Task = {
    ...task,
    status: 'IN_PROGRESS',
    attempts: call.attempt,
    current_call_id: call.id,
    last_call_id: call.id,
    next_attempt_at: null,
    next_attempt_reason: null,
    waiting_for_line_since: null,
    carrier_refusal: undefined,
    ...(task.attempts === 0 ? { started_at: task.started_at ?? now.toISOString() } : {}),
    updated_at: now.toISOString(),
  };
  await writeTransaction(table, [
    createCallItem(table, call),
    replaceTaskItem(table, task, claimed),
    ...checkNoOptOutItems(table, optOutLists, task.phone_number),
    replaceLineItem(table, line.read, { ...line.change, taken: heldBy(call, counts) }, now),
    replaceCallCapacityItem(table, project.carrier, capacity, next),
    auditEntryItem(
      table,
      toEntry({ actor: callRunner, origin: null }, task.project_id, callClaimed(call), now),
    ),
    ...(counts === null ? [] : countCallItems(table, project, task.phone_number, counts, now)),
  ]);
  return call;
}

function heldBy(
  { id, carrier, phone_number, project_id, task_id }: Call,
  counts: LiveCounts | null,
): HeldSlot {
  return { carrier, phone_number, project_id, task_id, call_id: id, counted_on: counts?.projectDay ?? null };
}

/** What is left of a reverted claim. */
interface Release {
  /** The task as it was before the claim, with what follows from its release. */
  readonly after: Task;
  /** When the carrier accepts calls again, if it has said so. */
  readonly carrierPausedUntil: Date | null;
}

/**
 * Reverts a claim that the carrier surely did nothing with: removes the call, frees slot and number, and lets the task
 * wait for the same attempt again, or end. Returns what was released, or null, having done nothing, when the call has
 * meanwhile advanced or the task has ended.
 */
export async function releaseClaim(
  table: Table,
  call: Call,
  { after, carrierPausedUntil }: Release,
  now: Date,
): Promise<HeldSlot | null> {
  return retryOnConflict(async () => {
    const [task, current, held] = await Promise.all([
      getTask(table, call.task_id),
      getCall(table, call.task_id, call.id),
      findHeldSlot(table, call),
    ]);
    if (task === null || task.current_call_id !== call.id || isTerminalTaskStatus(task.status)) return null;
    if (current === null || current.version !== call.version || held === null) return null;
    const released: Task = {
      ...after,
      // Its start has been announced.
      ...(task.started_at === undefined ? {} : { started_at: task.started_at }),
      waiting_for_line_since: null,
      updated_at: now.toISOString(),
    };
    await writeTransaction(table, [
      deleteCallItem(table, call),
      replaceTaskItem(table, task, released),
      ...releaseSlotItems(table, held, carrierPausedUntil),
      ...uncountItems(table, held),
    ]);
    return held;
  });
}
