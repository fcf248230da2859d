import type { Addresses } from '#shared/domain/addresses.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import type { OpenBudget } from '#shared/lists/response-budget.ts';
import type { Table } from '#shared/table/client.ts';
import { getTaskWithCalls, type TaskWithCalls } from '#shared/table/task.ts';
import type { CallsPosition } from './calls-cursor.ts';
import { callsWithTranscripts } from './calls-with-transcripts.ts';
import { callFields, type TaskResource, taskFields, taskWait } from './task-resource.ts';

/** Parameters of `GET /v1/task/{task_id}`. */
export interface TaskRequest {
  readonly taskId: string;
  readonly includeTranscript: boolean;
  readonly includeResult: boolean;
  /** Only the newest call when false. */
  readonly includeAllCalls: boolean;
  /** Where the page begins; null for the first one. */
  readonly position: CallsPosition | null;
  readonly openBudget: OpenBudget;
}

export interface TaskPage {
  readonly resource: TaskResource;
  /** Where the next page begins; null if this one has the rest. */
  readonly next: CallsPosition | null;
}

const callsPerPage = 50;

/**
 * A task with its calls, newest first. A page ends after 50 calls, or when the response is full; a transcript too long
 * for one response continues in the next, under the same call. Throws the same `not_found` for another project's task
 * as for an unknown one.
 */
export async function getTask(
  { table, addresses }: { table: Table; addresses: Addresses },
  callerProjectId: string,
  { taskId, includeAllCalls, includeResult, includeTranscript, position, openBudget }: TaskRequest,
): Promise<TaskPage> {
  const found = await getOwnTask(table, callerProjectId, taskId, {
    limit: includeAllCalls ? callsPerPage : 1,
    from: position === null ? undefined : { callId: position.callId, isIncluded: position.turn !== null },
  });
  const task = {
    ...taskFields(found.task),
    ...(includeResult ? { ...taskWait(found.task), result: found.task.result } : {}),
  };
  const calls = found.calls.map((call) => ({
    ...callFields(call, addresses),
    ...(includeResult ? { result: call.result } : {}),
  }));
  const page = includeTranscript
    ? await callsWithTranscripts({ table, openBudget }, task, calls, position?.turn ?? 0)
    : { calls, next: null };
  // Without transcripts the whole page fits: a query reads 1 MB at most.
  const lastCall = page.calls.at(-1);
  const next =
    page.next ?? (found.hasMoreCalls && lastCall !== undefined ? { callId: lastCall.id, turn: null } : null);
  return { resource: { ...task, calls: page.calls, has_more_calls: next !== null }, next };
}

/** A task with its newest calls, by default one. Throws `not_found` as above. */
export async function getOwnTask(
  table: Table,
  projectId: string,
  taskId: string,
  calls: Parameters<typeof getTaskWithCalls>[2] = { limit: 1 },
): Promise<TaskWithCalls> {
  const found = await getTaskWithCalls(table, taskId, calls);
  if (found === null || found.task.project_id !== projectId) {
    throw new ServiceError('not_found', 'Task not found');
  }
  return found;
}
