import type { Hono } from 'hono';
import * as z from 'zod/mini';
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
import { formKeyField, newFormKey, readFormKey } from '../forms/form-key.ts';
import { textOf, textsOf } from '../forms/form-values.ts';
import { keepResult, readKeptResult } from '../forms/kept-result.ts';
import { readTaskListQuery } from '../forms/task-list-query.ts';
import { SelectedTasksPage } from '../pages/selected-tasks-page.tsx';
import { SelectedTasksResultPage } from '../pages/selected-tasks-result-page.tsx';
import { callAgainOnce } from './call-again.ts';
import { authorizeNamedProject, type DashboardContext } from './request-context.ts';
import { taskRowsRequest } from './task-rows-request.ts';

const path = '/projects/:project_id/selected-tasks';
/** Below the function's timeout, so that the person sees what was done and what was not. */
const longestMs = 6000;
const atOnce = 10;

const Action = z.enum(taskActions);
const KeptAction = z.object({
  action: Action,
  assignee: z.string(),
  form_key: Uuid,
  results: z.array(
    z.discriminatedUnion('kind', [
      z.object({ id: Uuid, kind: z.literal('done'), newTaskId: z.nullable(Uuid) }),
      z.object({ id: Uuid, kind: z.literal('refused'), reason: z.string() }),
      z.object({ id: Uuid, kind: z.literal('left') }),
    ]),
  ),
});
/** The result for the task with this ID. */
type KeptResult = z.infer<typeof KeptAction>['results'][number];

/** Bulk actions on tasks: a preview, the action, and a result for each task. */
export function addSelectedTasksPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, callQueue, now = () => new Date() } = services;
  const enter = (context: DashboardContext) => authorizeNamedProject(context, services, 'tasks.write');

  app.post(path, async (context) => {
    const { project } = await enter(context);
    const form = await context.req.formData();
    const all = textOf(form, 'all');
    const address = links.selectedTasks(project.id, '', {
      ...readTaskListQuery((name) => textOf(form, name) || undefined),
      action: actionOf(form),
      [formKeyField]: newFormKey(),
      ...(all === ''
        ? { task_id: idsIn(textsOf(form, 'task_id')).slice(0, selectedAtMost).join(' ') }
        : { all }),
    });
    return context.redirect(address, 303);
  });

  // Both pages are at URLs of their own, so that Back and a reload show them and do nothing again.
  app.get(path, async (context) => {
    const { access, view } = await enter(context);
    const action = Action.safeParse(context.req.query('action')).data;
    const formKey = Uuid.safeParse(context.req.query(formKeyField)).data;
    if (action === undefined || formKey === undefined) return toList(context, access);
    const query = readTaskListQuery((name) => context.req.query(name));
    const chosen =
      context.req.query('all') === undefined
        ? { ids: idsIn(context.req.queries('task_id') ?? []), isAll: true }
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
        formKey={formKey}
      />,
    );
  });

  app.post(`${path}/done`, async (context) => {
    const { access } = await enter(context);
    const form = await context.req.formData();
    const [action, formKey, assignee] = [actionOf(form), readFormKey(form), textOf(form, 'assignee')];
    const tasks = await viewSelectedTasks(table, access, idsIn(textsOf(form, 'task_id')));
    const optedOut = await optedOutFor(access, action);
    const results: KeptResult[] = [];
    const endMs = now().getTime() + longestMs;
    for (let start = 0; start < tasks.length; start += atOnce) {
      const group = tasks.slice(start, start + atOnce);
      const isLate = now().getTime() > endMs;
      results.push(
        ...(isLate
          ? group.map(({ id }) => ({ id, kind: 'left' as const }))
          : await Promise.all(group.map((task) => doOne(access, action, task, optedOut, formKey, assignee)))),
      );
    }
    const { id } = access.project;
    const kept: z.infer<typeof KeptAction> = { action, assignee, form_key: formKey, results };
    const address = links.selectedTasks(id, '/done', {
      ...readTaskListQuery((name) => textOf(form, name) || undefined),
      kept: await keepResult(table, id, kept),
    });
    return context.redirect(address, 303);
  });

  app.get(`${path}/done`, async (context) => {
    const { access, view } = await enter(context);
    const id = context.req.query('kept') ?? '';
    const kept = await readKeptResult(table, access.project.id, id, KeptAction);
    if (kept === null) return toList(context, access);
    const tasks = await viewSelectedTasks(
      table,
      access,
      kept.results.map((result) => result.id),
    );
    const taskOf = new Map(tasks.map((task) => [task.id, task]));
    return context.html(
      <SelectedTasksResultPage
        view={view}
        action={kept.action}
        // A task that was erased meanwhile is left out.
        results={kept.results.flatMap((result) => {
          const task = taskOf.get(result.id);
          return task === undefined ? [] : [{ ...result, task }];
        })}
        names={await namesOf(access, tasks)}
        assignee={kept.assignee}
        query={readTaskListQuery((name) => context.req.query(name))}
        formKey={kept.form_key}
      />,
    );
  });

  const toList = (context: DashboardContext, { project }: ProjectAccess) =>
    context.redirect(links.tasks(project.id), 303);

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
  ): Promise<KeptResult> => {
    const { id } = task;
    try {
      const reason = whyNot(action, task, optedOut);
      if (reason !== null) return { id, kind: 'refused', reason };
      return { id, kind: 'done', newTaskId: await carryOut(access, action, task, formKey, assignee) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { id, kind: 'refused', reason: error.detail };
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
  const action = Action.safeParse(textOf(form, 'action'));
  if (action.success) return action.data;
  throw new ServiceError('invalid_request', 'The form is not complete; open its page again');
}

/** From checkboxes, or from one field with all IDs. */
function idsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(' ')).flatMap((text) => Uuid.safeParse(text).data ?? []);
}
