import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { readAssignees } from '#shared/admin/follow-up.ts';
import type { TaskRowsRequest } from '#shared/admin/task-rows.ts';
import { newFollowUp } from '#shared/domain/follow-up.ts';
import type { Table } from '#shared/table/client.ts';
import { namesMember, type TaskListQuery, toTaskRowsRequest } from '../forms/task-list-query.ts';
import type { View } from '../layout/view.ts';
import { pageLength } from './request-context.ts';

/** The table query of a list's URL, for the signed-in person. */
export async function taskRowsRequest(
  table: Table,
  access: ProjectAccess,
  { session, timeZone }: View,
  query: TaskListQuery,
  limit = pageLength,
): Promise<TaskRowsRequest> {
  const assignees = namesMember(query) ? await readAssignees(table, access, newFollowUp) : [];
  return toTaskRowsRequest(query, { email: session.person.email, timeZone, assignees }, limit);
}
