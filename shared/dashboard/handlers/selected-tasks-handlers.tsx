import type { Hono } from 'hono';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { changeFollowUp, readAssignees } from '#shared/admin/follow-up.ts';
import { readOptedOut } from '#shared/admin/opt-outs.ts';
import {
  selectedAtMost,
  type TaskAction,
  taskActions,
  viewSelectedTasks,
  whyNot,
} from '#shared/admin/selected-tasks.ts';
import { readTaskIds } from '#shared/admin/task-rows.ts';
import { readPatientNames } from '#shared/admin/task-search.ts';
import { cancelProjectTask } from '#shared/admin/tasks.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { newFollowUp } from '#shared/domain/follow-up.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { enqueueEnd } from '#shared/tasks/enqueue-dial.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { newFormKey, readFormKey } from '../forms/form-key.ts';
import { textOf, textsOf } from '../forms/form-values.ts';
import { readTaskListQuery } from '../forms/task-list-query.ts';
import { SelectedTasksPage } from '../pages/selected-tasks-page.tsx';
import { SelectedTasksResultPage, type TaskResult } from '../pages/selected-tasks-result-page.tsx';
import { callAgainOnce } from './call-again.ts';
import { authorizeNamedProject, type DashboardContext } from './request-context.ts';
import { taskRowsRequest } from './task-rows-request.ts';

const path = '/projects/:project_id/selected-tasks';
/** Below the function's timeout, so that the person sees what was done and what was not. */
const longestMs = 6000;
const atOnce = 10;

/** Bulk actions on tasks: a preview, the action, and a result for each task. */
export function addSelectedTasksPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, callQueue, now = () => new Date() } = services;
  const enter = (context: DashboardContext) => authorizeNamedProject(context, services, 'tasks.write');

  // Going back to the result, which is not in the URL, shows the list again.
  for (const rest of ['', '/done']) {
    app.get(`${path}${rest}`, async (context) =>
      context.redirect(links.tasks((await enter(context)).project.id), 303),
    );
  }

  app.post(path, async (context) => {
    const { access, view } = await enter(context);
    const form = await context.req.formData();
    const action = actionOf(form);
    const query = readTaskListQuery((name) => textOf(form, name) || undefined);
    const chosen =
      textOf(form, 'all') === ''
        ? { ids: idsIn(form), isAll: true }
        : await readTaskIds(
            table,
            access,
            await taskRowsRequest(table, access, view, query, selectedAtMost),
            selectedAtMost,
          );
    const tasks = await viewSelectedTasks(table, access, chosen.ids);
    return context.html(
      <SelectedTasksPage
        view={view}
        action={action}
        tasks={tasks}
        optedOut={await optedOutFor(access, action)}
        names={await namesOf(access, tasks)}
        isAll={chosen.isAll}
        assignees={action === 'assign' ? await readAssignees(table, access, newFollowUp) : []}
        query={query}
        formKey={newFormKey()}
      />,
    );
  });

  app.post(`${path}/done`, async (context) => {
    const { access, view } = await enter(context);
    const form = await context.req.formData();
    const [action, formKey, assignee] = [actionOf(form), readFormKey(form), textOf(form, 'assignee')];
    const tasks = await viewSelectedTasks(table, access, idsIn(form));
    const optedOut = await optedOutFor(access, action);
    const results: TaskResult[] = [];
    const endMs = now().getTime() + longestMs;
    for (let start = 0; start < tasks.length; start += atOnce) {
      const group = tasks.slice(start, start + atOnce);
      const isLate = now().getTime() > endMs;
      results.push(
        ...(isLate
          ? group.map((task) => ({ task, kind: 'left' as const }))
          : await Promise.all(group.map((task) => doOne(access, action, task, optedOut, formKey, assignee)))),
      );
    }
    return context.html(
      <SelectedTasksResultPage
        view={view}
        action={action}
        results={results}
        names={await namesOf(access, tasks)}
        assignee={assignee}
        query={readTaskListQuery((name) => textOf(form, name) || undefined)}
        formKey={formKey}
      />,
    );
  });

  const namesOf = (access: ProjectAccess, tasks: readonly Task[]) =>
    readPatientNames(
      table,
      access,
      tasks.map((task) => task.patient_id),
    );

  const optedOutFor = async (access: ProjectAccess, action: TaskAction): Promise<ReadonlySet<string>> =>
    action === 'call-again' ? readOptedOut(table, access) : new Set();

  const doOne = async (
    access: ProjectAccess,
    action: TaskAction,
    task: Task,
    optedOut: ReadonlySet<string>,
    formKey: string,
    assignee: string,
  ): Promise<TaskResult> => {
    try {
      const reason = whyNot(action, task, optedOut);
      if (reason !== null) return { task, kind: 'refused', reason };
      return { task, kind: 'done', newTaskId: await carryOut(access, action, task, formKey, assignee) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { task, kind: 'refused', reason: error.detail };
    }
  };

  /** The identifier of the new task, or null. Idempotent per form. */
  const carryOut = async (
    access: ProjectAccess,
    action: TaskAction,
    task: Task,
    formKey: string,
    assignee: string,
  ): Promise<string | null> => {
    switch (action) {
      case 'cancel': {
        const { callToEnd } = await cancelProjectTask(table, access, task.id);
        if (callToEnd !== null) await enqueueEnd(callQueue, callToEnd);
        return null;
      }
      case 'call-again':
        return callAgainOnce(services, access, task, `${formKey} ${task.id}`);
      case 'assign':
      case 'finish': {
        const { version, due, done_at, ...work } = task.follow_up_work ?? newFollowUp;
        const input =
          action === 'finish'
            ? { assignee: work.assignee, isDone: true }
            : { assignee: assignee === '' ? null : assignee, isDone: done_at !== null };
        await changeFollowUp(table, access, task.id, version, { ...input, due, note: '' });
        return null;
      }
    }
  };
}

/** Throws `invalid_request` for an invalid form. */
function actionOf(form: FormData): TaskAction {
  const action = taskActions.find((one) => one === textOf(form, 'action'));
  if (action !== undefined) return action;
  throw new ServiceError('invalid_request', 'The form is not complete; open its page again');
}

/** From checkboxes, or from one field with all IDs. */
function idsIn(form: FormData): string[] {
  return textsOf(form, 'task_id')
    .flatMap((text) => text.split(' '))
    .flatMap((text) => Uuid.safeParse(text).data ?? []);
}
