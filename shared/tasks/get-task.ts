import type { Call } from '#shared/domain/call.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import type { Task } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import { getTaskWithCalls } from '#shared/table/task.ts';
import { AnswerBudget } from './answer-budget.ts';
import type { CallsPosition } from './calls-cursor.ts';
import { callsWithTranscripts } from './calls-with-transcripts.ts';
import type { TaskRequest } from './task-request.ts';
import type { CallResource, TaskResource } from './task-resource.ts';

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
 *
 * @param publicBaseUrl what `recording_url` begins with
 */
export async function getTask(
  { table, publicBaseUrl }: { table: Table; publicBaseUrl: string },
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
  const task = { ...toTask(found.task), ...(includeResult ? { result: found.task.result } : {}) };
  const calls = found.calls.map((call) => ({
    ...toCall(call, publicBaseUrl),
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

function toTask(task: Task): Omit<TaskResource, 'calls' | 'has_more_calls'> {
  return {
    id: task.id,
    project_id: task.project_id,
    patient_id: task.patient_id,
    status: task.status,
    task_type: task.task_type,
    task: task.task,
    task_outcome: task.task_outcome,
    created_at: task.created_at,
    updated_at: task.updated_at,
  };
}

function toCall(call: Call, publicBaseUrl: string): CallResource {
  return {
    id: call.id,
    project_id: call.project_id,
    patient_id: call.patient_id,
    status: call.status,
    call_outcome: call.call_outcome,
    created_at: call.created_at,
    updated_at: call.updated_at,
    recording_url:
      call.recording.status === 'stored' ? `${publicBaseUrl}/v1/call/${call.id}/recording` : null,
  };
}
