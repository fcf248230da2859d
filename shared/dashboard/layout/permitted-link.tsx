import type { Child } from 'hono/jsx';
import { may, type Permission } from '#shared/domain/permissions.ts';
import type { TaskListQuery } from '../forms/task-list-query.ts';
import type { ProjectView } from './project-page.tsx';

/** A link, or only its text for members who may not open the page. */
export function PermittedLink({
  view: { role },
  needed,
  href,
  children,
}: {
  readonly view: ProjectView;
  readonly needed: Permission;
  readonly href: string;
  readonly children: Child;
}) {
  return may(role, needed) ? <a href={href}>{children}</a> : <span>{children}</span>;
}

/** A figure that leads to the tasks it counts. */
export function TaskFigure({
  view,
  query,
  children,
}: {
  readonly view: ProjectView;
  readonly query: TaskListQuery;
  readonly children: Child;
}) {
  return may(view.role, 'tasks.read') ? (
    <a href={view.links.tasks(view.project.id, query)}>
      {children}
      <span class="unseen">: show the tasks</span>
    </a>
  ) : (
    <span>{children}</span>
  );
}
