import * as z from 'zod/mini';
import { type CallState, wasAnswered } from '#shared/domain/call.ts';
import { isTerminalTaskStatus, Task } from '#shared/domain/task.ts';
import { callStateFromItem } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import type { PrimaryKey } from '#shared/table/primary-key.ts';
import { putUsageRecord, type UsageRecord, usageRecordKey } from '#shared/table/usage-record.ts';

/**
 * Records what a change of an item adds to its project's usage. Idempotent.
 *
 * @param before null for a new item
 */
export async function recordUsage(
  table: Table,
  before: Record<string, unknown> | null,
  after: Record<string, unknown>,
  now: Date,
): Promise<void> {
  const known = new Set(before === null ? [] : usageOf(before).map(({ about }) => about.kind));
  for (const record of usageOf(after)) {
    if (!known.has(record.about.kind)) await putUsageRecord(table, record, now);
  }
}

/** The keys of everything that `recordUsage` records about an item. */
export function usageKeysOf(item: Record<string, unknown>): PrimaryKey[] {
  return usageOf(item).map(usageRecordKey);
}

/** All usage implied by the current state of a task or call. */
function usageOf(item: Record<string, unknown>): UsageRecord[] {
  if (item.type === 'call') return usageOfCall(callStateFromItem(item));
  return item.type === 'task' ? usageOfTask(TaskState.parse(item)) : [];
}

/** A call counts once it has ended, on the day it began. */
function usageOfCall(call: CallState): UsageRecord[] {
  if (call.completed_at === null) return [];
  const about = {
    kind: 'call',
    is_placed: call.carrier_call_sid !== null,
    is_answered: wasAnswered(call),
    talk_seconds: call.talk_seconds ?? 0,
  } as const;
  return [{ project_id: call.project_id, id: call.id, day: dayOf(call.created_at), about }];
}

const TaskState = z.pick(Task, {
  id: true,
  project_id: true,
  status: true,
  created_at: true,
  updated_at: true,
});

function usageOfTask({
  id,
  project_id,
  status,
  created_at,
  updated_at,
}: z.infer<typeof TaskState>): UsageRecord[] {
  const created: UsageRecord = { project_id, id, day: dayOf(created_at), about: { kind: 'task-created' } };
  return isTerminalTaskStatus(status)
    ? [created, { project_id, id, day: dayOf(updated_at), about: { kind: 'task-ended', status } }]
    : [created];
}

function dayOf(timestamp: string): string {
  return timestamp.slice(0, 'YYYY-MM-DD'.length);
}
