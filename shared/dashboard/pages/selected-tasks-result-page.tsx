import type { TaskAction } from '#shared/admin/selected-tasks.ts';
import type { PatientName } from '#shared/admin/task-search.ts';
import type { Task } from '#shared/domain/task.ts';
import { formKeyField } from '../forms/form-key.ts';
import type { TaskListQuery } from '../forms/task-list-query.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Notice } from '../layout/notices.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { actionTitle, ListQueryFields, nameText, TaskLink, tasksText } from './selected-tasks-page.tsx';

/** The result for one of the selected tasks. */
export type TaskResult =
  /** @param newTaskId the copy that calls again */
  | { readonly task: Task; readonly kind: 'done'; readonly newTaskId: string | null }
  | { readonly task: Task; readonly kind: 'refused'; readonly reason: string }
  /** The time was up. */
  | { readonly task: Task; readonly kind: 'left' };

const doneWords: Readonly<Record<TaskAction, string>> = {
  cancel: 'Canceled',
  'call-again': 'Called again',
  assign: 'Assigned',
  finish: 'Marked as done',
};

/** The results of a bulk action, task by task. */
export function SelectedTasksResultPage({
  view,
  action,
  results,
  names,
  assignee,
  query,
  formKey,
}: {
  readonly view: ProjectView;
  readonly action: TaskAction;
  readonly results: readonly TaskResult[];
  readonly names: ReadonlyMap<string, PatientName>;
  readonly assignee: string;
  readonly query: TaskListQuery;
  readonly formKey: string;
}) {
  const { links, project } = view;
  const count = (kind: TaskResult['kind']): number => results.filter((one) => one.kind === kind).length;
  const left = results.filter(({ kind }) => kind === 'left');
  const isWhole = count('done') === results.length;
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      title={actionTitle(action)}
      intro={<a href={links.tasks(project.id, query)}>Back to the list</a>}
    >
      <Notice
        kind={isWhole ? 'good' : 'warn'}
        title={`${doneWords[action]}: ${isWhole ? '' : `${count('done')} of `}${tasksText(results.length)}`}
      >
        <p>{isWhole ? 'All of them are listed below.' : 'The others are listed below with the reason.'}</p>
      </Notice>
      <section class="card">
        {left.length === 0 ? null : (
          <PostForm view={view} action={links.selectedTasks(project.id, '/done')}>
            <ListQueryFields query={query} />
            <input type="hidden" name={formKeyField} value={formKey} />
            <input type="hidden" name="action" value={action} />
            <input type="hidden" name="assignee" value={assignee} />
            <input type="hidden" name="task_id" value={left.map(({ task }) => task.id).join(' ')} />
            <button type="submit">{`Continue with the other ${tasksText(left.length)}`}</button>
          </PostForm>
        )}
        <DataTable
          label="Results"
          columns={['Patient', 'What for', 'Result']}
          rows={results.map((result) => [
            nameText(names.get(result.task.patient_id)),
            <TaskLink view={view} task={result.task} />,
            <Result view={view} action={action} result={result} />,
          ])}
        />
      </section>
    </ProjectPage>
  );
}

function Result({
  view: { links, project },
  action,
  result,
}: {
  readonly view: ProjectView;
  readonly action: TaskAction;
  readonly result: TaskResult;
}) {
  if (result.kind === 'left') return 'Not done yet';
  if (result.kind === 'refused') return `Not done: ${result.reason}`;
  return result.newTaskId === null ? (
    doneWords[action]
  ) : (
    <a href={links.task(project.id, result.newTaskId)}>New task</a>
  );
}
