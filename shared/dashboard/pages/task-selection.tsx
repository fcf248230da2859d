import type { Child } from 'hono/jsx';
import { selectedAtMost } from '#shared/admin/selected-tasks.ts';
import { may } from '#shared/domain/permissions.ts';
import type { TaskRow } from '#shared/table/task-rows.ts';
import type { TaskListQuery } from '../forms/task-list-query.ts';
import { PostForm } from '../layout/post-form.tsx';
import type { ProjectView } from '../layout/project-page.tsx';
import { ListQueryFields } from './selected-tasks-page.tsx';

/** The list with bulk actions on checked tasks; without them for read-only members. */
export function Selection({
  view,
  query,
  children,
}: {
  readonly view: ProjectView;
  readonly query: TaskListQuery;
  readonly children: Child;
}) {
  const { links, project, role } = view;
  if (!may(role, 'tasks.write')) return <>{children}</>;
  return (
    <PostForm view={view} action={links.selectedTasks(project.id)}>
      <ListQueryFields query={query} />
      {children}
      <fieldset class="selection">
        <legend>With the selected tasks</legend>
        <label class="choice">
          <input id="select-all" type="checkbox" name="all" value="1" />
          <span>{`All tasks of this view, up to ${selectedAtMost}`}</span>
        </label>
        <div class="actions">
          <button type="submit" name="action" value="call-again" class="second small">
            Call again…
          </button>
          <button type="submit" name="action" value="assign" class="second small">
            Assign…
          </button>
          <button type="submit" name="action" value="finish" class="second small">
            Mark as done…
          </button>
          <button type="submit" name="action" value="cancel" class="danger small">
            Cancel…
          </button>
        </div>
      </fieldset>
    </PostForm>
  );
}

/** The checkbox of a row. */
export function SelectBox({
  view: { role },
  row: { id, task },
  name,
}: {
  readonly view: ProjectView;
  readonly row: TaskRow;
  readonly name: string;
}) {
  if (!may(role, 'tasks.write')) return <>{name}</>;
  return (
    <label class="select">
      <input id={`select-${id}`} type="checkbox" name="task_id" value={id} />
      <span class="name">{name}</span>
      <span class="unseen">{`: ${task.slice(0, 80)}`}</span>
    </label>
  );
}
