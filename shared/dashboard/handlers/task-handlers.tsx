import type { Hono } from 'hono';
import { readTaskVersion, viewTaskHistory } from '#shared/admin/task-history.ts';
import { exportTaskRows, readTaskVersions } from '#shared/admin/task-rows.ts';
import { readPatientNames } from '#shared/admin/task-search.ts';
import { cancelProjectTask, viewRecording, viewTaskInput } from '#shared/admin/tasks.ts';
import type { Permission } from '#shared/domain/permissions.ts';
import { utcDay } from '#shared/domain/time.ts';
import { enqueueEnd } from '#shared/tasks/enqueue-dial.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { newFormKey, readFormKey } from '../forms/form-key.ts';
import { taskCsv } from '../forms/task-csv.ts';
import { readTaskListQuery, type TaskListQuery } from '../forms/task-list-query.ts';
import { afterwards } from '../layout/notices.tsx';
import { TaskPage } from '../pages/task-page.tsx';
import { TranscriptPage } from '../pages/transcript-page.tsx';
import { callAgainOnce } from './call-again.ts';
import { attempt, authorizeNamedProject, type DashboardContext, identifierOf } from './request-context.ts';
import { showTasks } from './show-tasks.tsx';
import { taskRowsRequest } from './task-rows-request.ts';
import { tasksVersion } from './tasks-version.ts';

/** The tasks of a project, and everything about one of them. */
export function addTaskPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, bucket, callQueue } = services;

  const enter = (context: DashboardContext, needed: Permission) =>
    authorizeNamedProject(context, services, needed);

  app.get('/projects/:project_id/tasks', async (context) => {
    const entered = await enter(context, 'tasks.read');
    return showTasks(context, services, entered, listQueryOf(context));
  });

  app.get('/projects/:project_id/tasks-file', async (context) => {
    const { access, view } = await enter(context, 'tasks.read');
    const request = await taskRowsRequest(table, access, view, listQueryOf(context));
    const { rows, isAll } = await exportTaskRows(table, access, request);
    const names = await readPatientNames(
      table,
      access,
      rows.map((row) => row.patient_id),
    );
    const day = utcDay(new Date());
    return context.body(taskCsv(rows, names), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="tasks-${day}${isAll ? '' : '-newest'}.csv"`,
    });
  });

  app.get('/projects/:project_id/tasks-version', async (context) => {
    const { access, view } = await enter(context, 'tasks.read');
    const request = await taskRowsRequest(table, access, view, listQueryOf(context));
    return context.text(tasksVersion(await readTaskVersions(table, access, request)));
  });

  app.get('/projects/:project_id/tasks/:task_id', async (context) => {
    const { access, view } = await enter(context, 'tasks.read');
    const history = await viewTaskHistory(table, access, identifierOf(context, 'task_id'));
    return context.html(
      <TaskPage
        view={view}
        history={history}
        done={context.req.query('done')}
        now={new Date()}
        formKey={newFormKey()}
      />,
    );
  });

  app.get('/projects/:project_id/tasks/:task_id/transcript', async (context) => {
    const { access, view } = await enter(context, 'tasks.read');
    const history = await viewTaskHistory(table, access, identifierOf(context, 'task_id'));
    return context.html(<TranscriptPage view={view} history={history} />);
  });

  app.post('/projects/:project_id/tasks/:task_id/call-again', async (context) => {
    const { access } = await enter(context, 'tasks.write');
    const key = readFormKey(await context.req.formData());
    const task = await viewTaskInput(table, access, identifierOf(context, 'task_id'));
    const made = await callAgainOnce(services, access, task, key);
    const { id: scope } = access.project;
    return context.redirect(
      made === null ? links.tasks(scope) : afterwards(links.task(scope, made), 'task-created'),
      303,
    );
  });

  app.get('/projects/:project_id/tasks/:task_id/version', async (context) => {
    const { access } = await enter(context, 'tasks.read');
    return context.text(await readTaskVersion(table, access, identifierOf(context, 'task_id')));
  });

  app.post('/projects/:project_id/tasks/:task_id/cancel', async (context) => {
    const { access } = await enter(context, 'tasks.write');
    const taskId = identifierOf(context, 'task_id');
    const address = links.task(access.project.id, taskId);
    const outcome = await attempt(() => cancelProjectTask(table, access, taskId));
    // It had already ended, as its page now shows.
    if (!outcome.done) return context.redirect(address, 303);
    if (outcome.result.callToEnd !== null) await enqueueEnd(callQueue, outcome.result.callToEnd);
    return context.redirect(afterwards(address, 'task-cancelled'), 303);
  });

  app.get('/projects/:project_id/calls/:call_id/recording', async (context) => {
    const { access } = await enter(context, 'tasks.read');
    const callId = identifierOf(context, 'call_id');
    const isFile = context.req.query('download') !== undefined;
    const link = await viewRecording(
      { table, bucket },
      access,
      callId,
      isFile ? { fileName: `call-${callId}.wav` } : {},
    );
    return context.redirect(link, 302);
  });
}

function listQueryOf(context: DashboardContext): TaskListQuery {
  return readTaskListQuery((name) => context.req.query(name));
}
