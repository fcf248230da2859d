import type { Hono } from 'hono';
import { changeFollowUp, readAssignees } from '#shared/admin/follow-up.ts';
import { viewTaskInput } from '#shared/admin/tasks.ts';
import { type FollowUp, newFollowUp } from '#shared/domain/follow-up.ts';
import { CalendarDate } from '#shared/domain/values.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { type FieldErrors, formStatus, numberOf, textOf } from '../forms/form-values.ts';
import { mergeEdit, nowSaved, readOpened } from '../forms/merge-edit.ts';
import { dayText } from '../layout/day.tsx';
import { afterwards, wholeForm } from '../layout/notices.tsx';
import { doneState, type FollowUpForm, FollowUpPage, openState } from '../pages/follow-up-page.tsx';
import {
  type AuthorizedProject,
  attempt,
  authorizeNamedProject,
  type DashboardContext,
  identifierOf,
} from './request-context.ts';

interface SentFollowUp {
  readonly values: FollowUpForm;
  readonly version: number;
  readonly opened: unknown;
  readonly errors: FieldErrors;
}

const path = '/projects/:project_id/tasks/:task_id/follow-up';

/** The follow-up on a finished task. */
export function addFollowUpPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  const show = async (
    context: DashboardContext,
    { access, view }: AuthorizedProject,
    sent: SentFollowUp | null = null,
  ) => {
    const task = await viewTaskInput(table, access, identifierOf(context, 'task_id'));
    const followUp = task.follow_up_work ?? newFollowUp;
    const members = await readAssignees(table, access, followUp);
    const stored = toForm(followUp);
    const { values, errors } = sent === null ? { values: stored, errors: {} } : mergeInto(followUp, sent);
    return context.html(
      <FollowUpPage
        view={view}
        task={task}
        followUp={followUp}
        opened={stored}
        members={members}
        values={values}
        errors={errors}
      />,
      formStatus(errors),
    );
  };

  app.get(path, async (context) =>
    show(context, await authorizeNamedProject(context, services, 'tasks.write')),
  );

  app.post(path, async (context) => {
    const entered = await authorizeNamedProject(context, services, 'tasks.write');
    const { access } = entered;
    const taskId = identifierOf(context, 'task_id');
    const form = await context.req.formData();
    const values: FollowUpForm = {
      assignee: textOf(form, 'assignee'),
      due: textOf(form, 'due'),
      note: textOf(form, 'note'),
      state: textOf(form, 'state'),
    };
    const version = numberOf(textOf(form, 'version'));
    const sent = { values, version, opened: readOpened(form) };
    const due = values.due === '' ? null : CalendarDate.safeParse(values.due);
    if (due?.success === false) {
      return show(context, entered, { ...sent, errors: { due: 'Enter a date that exists' } });
    }
    const input = {
      assignee: values.assignee === '' ? null : values.assignee,
      due: due?.data ?? null,
      note: values.note,
      isDone: values.state === doneState,
    };
    const saved = await attempt(() => changeFollowUp(table, access, taskId, version, input), wholeForm);
    return saved.done
      ? context.redirect(afterwards(links.task(access.project.id, taskId), 'follow-up-saved'), 303)
      : show(context, entered, { ...sent, errors: saved.errors });
  });
}

function toForm({ assignee, due, done_at }: FollowUp): FollowUpForm {
  return {
    assignee: assignee ?? '',
    due: due ?? '',
    note: '',
    state: done_at === null ? openState : doneState,
  };
}

/** The form to show again, where untouched values are as others saved them. */
function mergeInto(followUp: FollowUp, { values: typed, version, opened, errors }: SentFollowUp) {
  const stored = toForm(followUp);
  const edit = { opened: version === followUp.version ? stored : opened, typed, stored };
  const { values, conflicts } = mergeEdit(edit);
  const saved: Readonly<Record<string, string>> = {
    assignee: nowSaved('Assignee', followUp.assignee ?? 'Unassigned'),
    due: nowSaved('Due', followUp.due === null ? 'Not set' : dayText(followUp.due)),
    state: nowSaved('State', followUp.done_at === null ? 'Open' : 'Done'),
  };
  const ofOthers = conflicts.flatMap(([name]) => (saved[name] === undefined ? [] : [[name, saved[name]]]));
  return { values, errors: { ...errors, ...Object.fromEntries(ofOthers) } };
}
