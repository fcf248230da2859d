import * as z from 'zod/mini';
import { identityOf, type ListFilter, resolveFilter } from '#shared/lists/filtered-list.ts';
import { fitPage, type ListPosition, toPageRequest } from '#shared/lists/list-page.ts';
import type { Table } from '#shared/table/client.ts';
import { listTaskSummaries, type TaskFilter } from '#shared/table/task-list.ts';
import { ListedTask } from './task-resource.ts';

/** The response to `GET /v1/task`. */
export const TaskList = z.object({ tasks: z.array(ListedTask), next_cursor: z.nullable(z.string()) });
export type TaskList = z.infer<typeof TaskList>;

/** Parameters of `GET /v1/task`. */
export interface TaskListRequest extends ListPosition, ListFilter, TaskFilter {}

/**
 * Tasks of the caller's project, newest first. Pages may be shorter than requested: only a null `next_cursor` ends the
 * list. An unknown patient has no tasks. Throws `invalid_request` for a cursor of another list.
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
