import { ServiceError } from '#shared/domain/errors.ts';
import type { Addresses } from '#shared/http/addresses.ts';
import { AnswerBudget } from '#shared/http/answer-budget.ts';
import type { Table } from '#shared/table/client.ts';
import { getTaskWithCalls } from '#shared/table/task.ts';
import type { CallsPosition } from './calls-cursor.ts';
import { callsWithTranscripts } from './calls-with-transcripts.ts';
import type { TaskRequest } from './task-request.ts';
import { callFields, type TaskResource, taskFields, taskWait } from './task-resource.ts';

export interface TaskPage {
  readonly resource: TaskResource;
  /** Where the next page begins; null when this one holds the rest. */
  readonly next: CallsPosition | null;
}

const callsPerPage = 50;

/**
 * A task with its calls, newest first. A page ends after 50 calls, or earlier where the answer would outgrow what Lambda
 * can return; a transcript that is too long for one answer goes on in the next, under the same call.
 * Throws `not_found` for another project's task exactly as for one that does not exist.
 */
export async function getTask(
  { table, addresses }: { table: Table; addresses: Addresses },
  callerProjectId: string,
  { taskId, includeAllCalls, includeResult, includeTranscript, position }: TaskRequest,
): Promise<TaskPage> {
  const found = await getTaskWithCalls(table, taskId, {
    limit: includeAllCalls ? callsPerPage : 1,
    from: position === null ? undefined : { callId: position.callId, isIncluded: position.turn !== null },
  });
  if (found === null || found.task.project_id !== callerProjectId) {
    throw new ServiceError('not_found', 'Task not found');
  }
  const task = {
    ...taskFields(found.task),
    ...(includeResult ? { ...taskWait(found.task), result: found.task.result } : {}),
  };
  const calls = found.calls.map((call) => ({
    ...callFields(call, addresses),
    ...(includeResult ? { result: call.result } : {}),
  }));
  const page = includeTranscript
    ? await callsWithTranscripts(table, calls, position?.turn ?? 0, new AnswerBudget(task))
    : { calls, next: null };
  // Without transcripts the whole page fits: a query reads 1 MB at most.
  const lastCall = page.calls.at(-1);
  const next =
    page.next ?? (found.hasMoreCalls && lastCall !== undefined ? { callId: lastCall.id, turn: null } : null);
  return { resource: { ...task, calls: page.calls, has_more_calls: next !== null }, next };
}
