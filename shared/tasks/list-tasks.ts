import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import type { Addresses } from '#shared/http/addresses.ts';
import {
  type ListPosition,
  nextPageHeader,
  readListPosition,
  toAnswer,
  toPageRequest,
} from '#shared/http/list-page.ts';
import { readChoice, readText } from '#shared/http/parameters.ts';
import type { Table } from '#shared/table/client.ts';
import { listTaskSummaries, type TaskFilter } from '#shared/table/task-list.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { ListedTask } from './task-resource.ts';

/** The answer to `GET /v1/task`. */
export const TaskList = z.object({ tasks: z.array(ListedTask), next_cursor: z.nullable(z.string()) });
type TaskList = z.infer<typeof TaskList>;

/** What `GET /v1/task` was asked for. */
export interface TaskListRequest extends ListPosition, TaskFilter {}

export function readTaskListRequest(request: Pick<RawRequest, 'query'>): TaskListRequest {
  const patientId = readText(request, 'patient_id');
  return {
    ...readListPosition(request),
    status: readChoice(request, 'status', TaskStatus.options),
    taskType: readChoice(request, 'task_type', TaskType.options),
    patientId: patientId === null ? null : toPatientId(patientId),
  };
}

function toPatientId(text: string): string {
  const id = Uuid.safeParse(text);
  if (id.success) return id.data;
  throw new ServiceError('invalid_request', 'Invalid patient ID format');
}

/**
 * Tasks of the caller's project, newest first. A page may be shorter than asked for: only a `next_cursor` that is null
 * says that there is nothing more. A patient that the project does not have has no tasks.
 * Throws `invalid_request` for a cursor that this list was not answered with.
 */
export async function listTasks(
  { table, addresses }: { table: Table; addresses: Addresses },
  callerProjectId: string,
  request: TaskListRequest,
): Promise<{ body: TaskList; headers: Record<string, string> }> {
  const { status, taskType, patientId } = request;
  const list = ['tasks', callerProjectId, status, patientId, taskType];
  const page = await listTaskSummaries(table, callerProjectId, request, toPageRequest(list, request));
  const { resources: tasks, nextCursor } = toAnswer(list, page);
  const query = { status, task_type: taskType, patient_id: patientId };
  return {
    body: { tasks, next_cursor: nextCursor },
    headers: nextPageHeader(addresses.tasks, query, request, nextCursor),
  };
}
