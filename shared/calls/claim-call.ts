import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Project } from '#shared/domain/project.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { createCallItem, deleteUntouchedCallItem, getCall } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { checkNoOptOut } from '#shared/table/opt-out.ts';
import { getTask, replaceTaskItem } from '#shared/table/task.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { nextDueAt } from './deadlines.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/** Clocks of different machines differ a little; a task that is due a moment from now is due. */
const clockToleranceMs = 5_000;

/** Where the claim's transaction checks that nobody at the number has opted out. */
const optOutPosition = 2;

/** Whether the task waits for a call and the time for it has come. */
export function isDialDue(task: Task, now: Date): boolean {
  return (
    !isTerminalTaskStatus(task.status) &&
    task.current_call_id === null &&
    task.next_attempt_at !== null &&
    Date.parse(task.next_attempt_at) <= now.getTime() + clockToleranceMs
  );
}

/**
 * Claims the task's next attempt: creates its call and makes it the task's current one, both or neither. Of any number
 * of callers at the same time one gets the call; the others get null and must not dial. Throws
 * `TransactionConditionFailed` when an opt-out of the number has come in between: whoever asks again finds it.
 *
 * @param task as it was read; the claim holds only if it is still so
 */
export async function claimCall(
  table: Table,
  task: Task,
  project: Project,
  now: Date,
  newId: () => string = uuidv7,
): Promise<Call | null> {
  const call = newCall(task, project, now, newId());
  const claimed: Task = {
    ...task,
    status: 'IN_PROGRESS',
    attempts: call.attempt,
    current_call_id: call.id,
    last_call_id: call.id,
    next_attempt_at: null,
    next_attempt_reason: null,
    updated_at: now.toISOString(),
  };
  try {
    await writeTransaction(table, [
      createCallItem(table, call),
      replaceTaskItem(table, task, claimed),
      checkNoOptOut(table, task.project_id, task.phone_number),
    ]);
    return call;
  } catch (error) {
    if (error instanceof TransactionConditionFailed && !error.failed.includes(optOutPosition)) return null;
    throw error;
  }
}

/**
 * Takes a claim back that the carrier surely did nothing with: the call goes, and the task waits for the same attempt
 * again. Does nothing when the call has meanwhile gone on or the task has been ended.
 *
 * @param before the task as it was claimed
 */
export async function releaseClaim(
  table: Table,
  call: Call,
  before: Task,
  next: { at: Date; reason: string },
  now: Date,
): Promise<boolean> {
  try {
    return await retryOnConflict(async () => {
      const [task, current] = await Promise.all([
        getTask(table, call.task_id),
        getCall(table, call.task_id, call.id),
      ]);
      if (task === null || task.current_call_id !== call.id || isTerminalTaskStatus(task.status))
        return false;
      if (current === null || current.version !== call.version) return false;
      const released: Task = {
        ...before,
        next_attempt_at: next.at.toISOString(),
        next_attempt_reason: next.reason,
        updated_at: now.toISOString(),
      };
      await writeTransaction(table, [
        deleteUntouchedCallItem(table, call),
        replaceTaskItem(table, task, released),
      ]);
      return true;
    });
  } catch (error) {
    if (error instanceof TransactionConditionFailed) return false;
    throw error;
  }
}

function newCall(task: Task, project: Project, now: Date, id: string): Call {
  const call: Call = {
    id,
    task_id: task.id,
    project_id: task.project_id,
    patient_id: task.patient_id,
    attempt: task.attempts + 1,
    carrier: project.carrier,
    phone_number: task.phone_number,
    status: 'IN_PROGRESS',
    submission: 'claimed',
    carrier_call_sid: null,
    carrier_progress: 'queued',
    carrier_sequence: -1,
    sip_response_code: null,
    talk_seconds: null,
    session_status: null,
    answered_by: null,
    end_requested_at: null,
    recording: {
      status: 'awaited',
      carrier_recording_sid: null,
      found_at: null,
      at_carrier: false,
      kept_until: null,
      key: null,
      bytes: null,
      channels: null,
      duration_seconds: null,
      reason: null,
    },
    closed_by: null,
    call_outcome: null,
    result: null,
    due_at: null,
    ended_at: null,
    completed_at: null,
    version: 1,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  return { ...call, due_at: nextDueAt(call, now) };
}
