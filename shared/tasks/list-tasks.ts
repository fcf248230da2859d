import * as z from 'zod/mini';
import { identityOf, type ListFilter, resolveFilter } from '#shared/lists/filtered-list.ts';
import { fitPage, type ListPosition, toPageRequest } from '#shared/lists/list-page.ts';
import type { Table } from '#shared/table/client.ts';
import { listTaskSummaries, type TaskFilter } from '#shared/table/task-list.ts';
import { ListedTask } from './task-resource.ts';

/** The answer to `GET /v1/task`. */
export const TaskList = z.object({ tasks: z.array(ListedTask), next_cursor: z.nullable(z.string()) });
export type TaskList = z.infer<typeof TaskList>;

/** What `GET /v1/task` was asked for. */
export interface TaskListRequest extends ListPosition, ListFilter, TaskFilter {}

/**
 * Tasks of the caller's project, newest first. A page may be shorter than asked for: only a `next_cursor` that is null
 * says that there is nothing more. A patient that the project does not have has no tasks.
 * Throws `invalid_request` for a cursor that this list was not answered with.
 */
export async function listTasks(
  table: Table,
  callerProjectId: string,
  request: TaskListRequest,
): Promise<TaskList> {
  const { status, taskType, patientId } = request;
  const list = ['tasks', callerProjectId, status, patientId, taskType, ...identityOf(request)];
  const position = toPageRequest(list, request);
  const filter = await resolveFilter(table, { projectId: callerProjectId, kind: 'TASK' }, request);
  if (filter === null) return { tasks: [], next_cursor: null };
  const wanted = { ...filter, status, taskType, patientId };
  const page = await listTaskSummaries(table, callerProjectId, wanted, position);
  const { resources: tasks, nextCursor } = fitPage(list, page, request);
  return { tasks, next_cursor: nextCursor };
}
