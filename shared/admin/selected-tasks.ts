import { tasksSeen } from '#shared/audit/actions.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import { getTask } from '#shared/table/task.ts';
import { auditView } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** So many tasks are done something about at once: what one page shows, and one request has time for. */
export const selectedAtMost = 100;
const readAtOnce = 25;

/** What people do about several tasks. */
export const taskActions = ['cancel', 'call-again', 'assign'] as const;
export type TaskAction = (typeof taskActions)[number];

/** Why the action does nothing to the task; null when it does. */
export function whyNot(action: TaskAction, { status }: Pick<Task, 'status'>): string | null {
  const isOver = isTerminalTaskStatus(status);
  switch (action) {
    case 'cancel':
      return isOver ? 'It is over already' : null;
    case 'call-again':
      return isOver ? null : 'It is not over yet';
    case 'assign':
      return isOver ? null : 'Follow-ups begin when a task is over';
  }
}

/**
 * The tasks in the order of their identifiers as given, which the caller is written down to have seen. Those that the
 * project does not have are left out.
 */
export async function viewSelectedTasks(
  table: Table,
  access: ProjectAccess,
  ids: readonly string[],
): Promise<Task[]> {
  const chosen = [...new Set(ids)].slice(0, selectedAtMost);
  const tasks: Task[] = [];
  for (let start = 0; start < chosen.length; start += readAtOnce) {
    const group = await Promise.all(chosen.slice(start, start + readAtOnce).map((id) => getTask(table, id)));
    tasks.push(
      ...group.filter((task) => task?.project_id === access.project.id).filter((task) => task !== null),
    );
  }
  await auditView(table, access, tasksSeen(access.project.id, tasks));
  return tasks;
}
