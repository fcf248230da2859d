import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { readTaskVersion, viewTaskHistory } from '#shared/admin/task-history.ts';
import { viewPatientNames } from '#shared/admin/task-search.ts';
import { cancelProjectTask, viewRecording, viewTasks } from '#shared/admin/tasks.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { Role } from '#shared/domain/person.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import { listTaskSummaries } from '#shared/table/task-list.ts';
import { enqueueEnd } from '#shared/tasks/enqueue-dial.ts';
import type { TaskListRequest } from '#shared/tasks/list-tasks.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { afterwards } from '../layout/notices.tsx';
import { TaskPage } from '../pages/task-page.tsx';
import { TasksPage } from '../pages/tasks-page.tsx';
import {
  attempt,
  authorizeNamedProject,
  type DashboardContext,
  identifierOf,
  nextAddress,
  positionOf,
} from './request-context.ts';

/** The tasks of a project, and everything that one of them did. */
export function addTaskPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, bucket, callQueue } = services;

  const enter = (context: DashboardContext, needed: Role) => authorizeNamedProject(context, services, needed);

  app.get('/projects/:project_id/tasks', async (context) => {
    const { access, view } = await enter(context, 'viewer');
    const request = listRequestOf(context);
    // First of all, so that what changes while the rest is read is noticed afterwards.
    const version = await readListVersion(services, access, request);
    const page = await viewTasks(table, access, request);
    const names = await viewPatientNames(
      table,
      access,
      page.tasks.map((task) => task.patient_id),
    );
    return context.html(
      <TasksPage
        view={view}
        tasks={page.tasks}
        names={names}
        filter={request}
        isFirstPage={request.cursor === null}
        next={nextAddress(links.tasks(access.project.id), page.next_cursor, queryOf(request))}
        version={version}
      />,
    );
  });

  app.get('/projects/:project_id/tasks-version', async (context) => {
    const { access } = await enter(context, 'viewer');
    return context.text(await readListVersion(services, access, listRequestOf(context)));
  });

  app.get('/projects/:project_id/tasks/:task_id', async (context) => {
    const { access, view } = await enter(context, 'viewer');
    const history = await viewTaskHistory(table, access, identifierOf(context, 'task_id'));
    return context.html(
      <TaskPage view={view} history={history} done={context.req.query('done')} now={new Date()} />,
    );
  });

  app.get('/projects/:project_id/tasks/:task_id/version', async (context) => {
    const { access } = await enter(context, 'viewer');
    return context.text(await readTaskVersion(table, access, identifierOf(context, 'task_id')));
  });

  app.post('/projects/:project_id/tasks/:task_id/cancel', async (context) => {
    const { access } = await enter(context, 'owner');
    const taskId = identifierOf(context, 'task_id');
    const address = links.task(access.project.id, taskId);
    const outcome = await attempt(() => cancelProjectTask(table, access, taskId));
    // It was over already, as its page tells by now.
    if (!outcome.done) return context.redirect(address, 303);
    if (outcome.result.callToEnd !== null) await enqueueEnd(callQueue, outcome.result.callToEnd);
    return context.redirect(afterwards(address, 'task-cancelled'), 303);
  });

  app.get('/projects/:project_id/calls/:call_id/recording', async (context) => {
    const { access } = await enter(context, 'viewer');
    return context.redirect(
      await viewRecording({ table, bucket }, access, identifierOf(context, 'call_id')),
      302,
    );
  });
}

/** What is no value of a filter is as if it were not there: only the page's own links and fields carry them. */
function listRequestOf(context: DashboardContext): TaskListRequest {
  return {
    ...positionOf(context),
    status: TaskStatus.safeParse(context.req.query('status')).data ?? null,
    taskType: TaskType.safeParse(context.req.query('task_type')).data ?? null,
    patientId: Uuid.safeParse(context.req.query('patient_id')).data ?? null,
  };
}

function queryOf({ status, taskType, patientId }: TaskListRequest): Record<string, string | null> {
  return { status, task_type: taskType, patient_id: patientId };
}

/** Changes with the newest tasks of a list; tells nothing of them. */
async function readListVersion(
  { table }: DashboardServices,
  { project }: ProjectAccess,
  request: TaskListRequest,
): Promise<string> {
  const { items } = await listTaskSummaries(table, project.id, request, {
    limit: request.limit,
    before: null,
  });
  const states = items.map((task) => [task.id, task.status, task.updated_at]);
  return createHash('sha256').update(JSON.stringify(states)).digest('base64url');
}
