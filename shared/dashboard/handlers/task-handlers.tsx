import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { enterProject, type ProjectAccess } from '#shared/admin/enter-project.ts';
import { readTaskVersion, viewTaskHistory } from '#shared/admin/task-history.ts';
import { type Found, findInProject, viewPatientNames } from '#shared/admin/task-search.ts';
import { viewRecording, viewTasks, withdrawTask } from '#shared/admin/tasks.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { Role } from '#shared/domain/person.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import { rememberNothing } from '#shared/table/idempotency.ts';
import { listTaskSummaries } from '#shared/table/task-list.ts';
import { announceEnd } from '#shared/tasks/announce-task.ts';
import type { TaskListRequest } from '#shared/tasks/list-tasks.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { textOf } from '../forms/form-values.ts';
import { afterwards } from '../layout/notices.tsx';
import type { ProjectView } from '../layout/project-page.tsx';
import { FoundPatientsPage } from '../pages/found-patients-page.tsx';
import { TaskPage } from '../pages/task-page.tsx';
import { TasksPage } from '../pages/tasks-page.tsx';
import {
  attempt,
  callerOf,
  type DashboardContext,
  nextAddress,
  parameterOf,
  positionOf,
  viewOf,
} from './request-context.ts';

/** The tasks of a project, and everything that one of them did. */
export function addTaskPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, publicBaseUrl, bucket, callQueue } = services;

  const enter = async (
    context: DashboardContext,
    needed: Role,
  ): Promise<{ access: ProjectAccess; view: ProjectView }> => {
    const access = await enterProject(
      table,
      callerOf(context, services),
      parameterOf(context, 'project_id'),
      needed,
    );
    return { access, view: { ...viewOf(context, services), project: access.project, role: access.role } };
  };

  app.get('/projects/:project_id/tasks', async (context) => {
    const { access, view } = await enter(context, 'viewer');
    const request = listRequestOf(context);
    // First of all, so that what changes while the rest is read is noticed afterwards.
    const version = await readListVersion(services, access, request);
    const { body } = await viewTasks({ table, publicBaseUrl }, access, request);
    const names = await viewPatientNames(
      table,
      access,
      body.tasks.map((task) => task.patient_id),
    );
    return context.html(
      <TasksPage
        view={view}
        tasks={body.tasks}
        names={names}
        filter={request}
        isFirstPage={request.cursor === null}
        next={nextAddress(links.tasks(access.project.id), body.next_cursor, queryOf(request))}
        version={version}
      />,
    );
  });

  app.get('/projects/:project_id/tasks-version', async (context) => {
    const { access } = await enter(context, 'viewer');
    return context.text(await readListVersion(services, access, listRequestOf(context)));
  });

  app.post('/projects/:project_id/find', async (context) => {
    const { access, view } = await enter(context, 'viewer');
    const text = textOf(await context.req.formData(), 'text');
    const found = await attemptToFind(() => findInProject(table, access, text));
    const { id } = access.project;
    switch (found?.kind) {
      case 'task':
        return context.redirect(links.task(id, found.id), 303);
      case 'patient':
        return context.redirect(`${links.tasks(id)}?patient_id=${found.id}`, 303);
      default:
        return context.html(
          <FoundPatientsPage
            view={view}
            text={text}
            patients={found?.patients ?? []}
            isAll={found?.isAll ?? true}
          />,
        );
    }
  });

  app.get('/projects/:project_id/tasks/:task_id', async (context) => {
    const { access, view } = await enter(context, 'viewer');
    const history = await viewTaskHistory(table, access, idOf(context, 'task_id'));
    const names = await viewPatientNames(table, access, [history.task.patient_id]);
    return context.html(
      <TaskPage
        view={view}
        history={history}
        patient={names.get(history.task.patient_id) ?? null}
        done={context.req.query('done')}
      />,
    );
  });

  app.get('/projects/:project_id/tasks/:task_id/version', async (context) => {
    const { access } = await enter(context, 'viewer');
    return context.text(await readTaskVersion(table, access, idOf(context, 'task_id')));
  });

  app.post('/projects/:project_id/tasks/:task_id/cancel', async (context) => {
    const { access } = await enter(context, 'owner');
    const taskId = idOf(context, 'task_id');
    const address = links.task(access.project.id, taskId);
    const outcome = await attempt(() => withdrawTask(table, access, taskId, rememberNothing));
    // It was over already, as its page tells by now.
    if (!outcome.done) return context.redirect(address, 303);
    if (outcome.result.callToEnd !== null) await announceEnd(callQueue, outcome.result.callToEnd);
    return context.redirect(afterwards(address, 'task-cancelled'), 303);
  });

  app.get('/projects/:project_id/calls/:call_id/recording', async (context) => {
    const { access } = await enter(context, 'viewer');
    return context.redirect(await viewRecording({ table, bucket }, access, idOf(context, 'call_id')), 302);
  });
}

/** Of the path. Throws `not_found` for what is no identifier, as for one of nothing. */
function idOf(context: DashboardContext, name: string): string {
  const id = Uuid.safeParse(parameterOf(context, name));
  if (id.success) return id.data;
  throw new ServiceError('not_found', 'Not found');
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

async function attemptToFind(work: () => Promise<Found>): Promise<Found | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return null;
    throw error;
  }
}
