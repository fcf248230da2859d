import { readAssignees } from '#shared/admin/follow-up.ts';
import { readSavedViews } from '#shared/admin/saved-views.ts';
import { viewTaskRows } from '#shared/admin/task-rows.ts';
import { readPatientNames } from '#shared/admin/task-search.ts';
import { newFollowUp } from '#shared/domain/follow-up.ts';
import type { DashboardServices } from '../dashboard-services.ts';
import { formStatus } from '../forms/form-values.ts';
import type { TaskListQuery } from '../forms/task-list-query.ts';
import type { RefusedView } from '../pages/saved-views.tsx';
import { TasksPage } from '../pages/tasks-page.tsx';
import type { AuthorizedProject, DashboardContext } from './request-context.ts';
import { taskRowsRequest } from './task-rows-request.ts';
import { tasksVersion } from './tasks-version.ts';

/** The list of tasks, with the view that could not be saved. */
export async function showTasks(
  context: DashboardContext,
  { table }: Pick<DashboardServices, 'table'>,
  { access, view }: AuthorizedProject,
  query: TaskListQuery,
  refused: RefusedView | null = null,
) {
  const assignees = await readAssignees(table, access, newFollowUp);
  const request = await taskRowsRequest(table, access, view, query);
  const list = await viewTaskRows(table, access, request);
  const names = await readPatientNames(
    table,
    access,
    list.rows.map((task) => task.patient_id),
  );
  return context.html(
    <TasksPage
      view={view}
      saved={await readSavedViews(table, access)}
      refused={refused}
      done={context.req.query('done')}
      list={list}
      names={names}
      assignees={assignees}
      query={query}
      isFirstPage={request.cursor === null}
      version={tasksVersion(list.rows)}
      now={new Date()}
    />,
    formStatus(refused?.errors ?? {}),
  );
}
