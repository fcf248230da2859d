import { selectedAtMost, type TaskAction, whyNot } from '#shared/admin/selected-tasks.ts';
import type { PatientName } from '#shared/admin/task-search.ts';
import type { Task } from '#shared/domain/task.ts';
import { formKeyField } from '../forms/form-key.ts';
import type { TaskListQuery } from '../forms/task-list-query.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Select } from '../layout/fields.tsx';
import { Notice } from '../layout/notices.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { TaskState } from '../layout/task-words.tsx';

const titles: Readonly<Record<TaskAction, string>> = {
  cancel: 'Cancel tasks',
  'call-again': 'Call again',
  assign: 'Assign follow-ups',
  finish: 'Mark as done',
};
/** The action's effect on one task. */
const effects: Readonly<Record<TaskAction, string>> = {
  cancel: 'Will be canceled',
  'call-again': 'Will be called again, as a new task',
  assign: 'Will be assigned',
  finish: 'Will need no review or follow-up',
};
const buttons: Readonly<Record<TaskAction, (count: string) => string>> = {
  cancel: (count) => `Cancel ${count}`,
  'call-again': (count) => `Call again for ${count}`,
  assign: (count) => `Assign ${count}`,
  finish: (count) => `Mark ${count} as done`,
};

export function actionTitle(action: TaskAction): string {
  return titles[action];
}

/** The preview of a bulk action; nothing has been done yet. */
export function SelectedTasksPage({
  view,
  action,
  tasks,
  optedOut,
  names,
  isAll,
  assignees,
  query,
  formKey,
}: {
  readonly view: ProjectView;
  readonly action: TaskAction;
  readonly tasks: readonly Task[];
  readonly optedOut: ReadonlySet<string>;
  readonly names: ReadonlyMap<string, PatientName>;
  /** False when the view has more tasks than a bulk action takes. */
  readonly isAll: boolean;
  /** Email addresses, for assigning. */
  readonly assignees: readonly string[];
  /** The query of the list that the tasks were selected in. */
  readonly query: TaskListQuery;
  readonly formKey: string;
}) {
  const { links, project, session } = view;
  const able = tasks.filter((task) => whyNot(action, task, optedOut) === null);
  const back = links.tasks(project.id, query);
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      title={titles[action]}
      intro={
        <>
          {`${able.length} of ${tasksText(tasks.length)} will change. Nothing has been done yet. `}
          <a href={back}>Back to the list</a>
        </>
      }
    >
      {isAll ? null : (
        <Notice kind="warn" title={`Only the first ${selectedAtMost} tasks of the view are selected`}>
          <p>Do this again for the others afterwards.</p>
        </Notice>
      )}
      <section class="card">
        {able.length === 0 ? (
          <p>
            {tasks.length === 0
              ? 'No tasks are selected.'
              : 'This is not possible for any of the selected tasks.'}
          </p>
        ) : (
          <PostForm view={view} action={links.selectedTasks(project.id, '/done')}>
            <ListQueryFields query={query} />
            <input type="hidden" name={formKeyField} value={formKey} />
            <input type="hidden" name="action" value={action} />
            <input type="hidden" name="task_id" value={able.map(({ id }) => id).join(' ')} />
            {action === 'assign' ? (
              <Select
                name="assignee"
                label="Assignee"
                value={session.person.email}
                short={false}
                options={[
                  { value: '', label: 'Unassigned' },
                  ...assignees.map((email) => ({ value: email, label: email })),
                ]}
              />
            ) : null}
            <button type="submit" class={action === 'cancel' ? 'danger' : ''}>
              {buttons[action](tasksText(able.length))}
            </button>
          </PostForm>
        )}
      </section>
      {tasks.length === 0 ? null : (
        <section class="card">
          <DataTable
            label="Selected tasks"
            columns={['Patient', 'What for', 'Status', 'What will happen']}
            rows={tasks.map((task) => {
              const reason = whyNot(action, task, optedOut);
              return [
                nameText(names.get(task.patient_id)),
                <TaskLink view={view} task={task} />,
                <TaskState status={task.status} />,
                reason === null ? effects[action] : `Nothing: ${reason}`,
              ];
            })}
          />
        </section>
      )}
    </ProjectPage>
  );
}

/** Carries the list's query along, for the way back. */
export function ListQueryFields({ query }: { readonly query: TaskListQuery }) {
  return (
    <>
      {Object.entries(query).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

const longestGoal = 80;

export function TaskLink({ view, task }: { readonly view: ProjectView; readonly task: Task }) {
  const text = task.task.length > longestGoal ? `${task.task.slice(0, longestGoal)}…` : task.task;
  return <a href={view.links.task(view.project.id, task.id)}>{text}</a>;
}

export function nameText(name: PatientName | undefined): string {
  return name === undefined ? '–' : `${name.last_name}, ${name.first_name}`;
}

export function tasksText(count: number): string {
  return `${count} ${count === 1 ? 'task' : 'tasks'}`;
}
