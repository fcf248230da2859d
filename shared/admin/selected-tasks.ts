import { tasksSeen } from '#shared/audit/actions.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import { getTask } from '#shared/table/task.ts';
import { auditView } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** The most tasks per bulk action: what a page shows and one request has time for. */
export const selectedAtMost = 100;
const readAtOnce = 25;

/** The bulk actions on tasks. */
export const taskActions = ['cancel', 'call-again', 'assign', 'finish'] as const;
export type TaskAction = (typeof taskActions)[number];

/**
 * Why the action does not apply to the task; null when it does.
 *
 * @param optedOut the numbers that may not be called
 */
export function whyNot(
  action: TaskAction,
  { status, phone_number, result, follow_up_work }: Task,
  optedOut: ReadonlySet<string>,
): string | null {
  const isOver = isTerminalTaskStatus(status);
  switch (action) {
    case 'cancel':
      return isOver ? 'It has already ended' : null;
    case 'call-again':
      if (!isOver) return 'It has not ended yet';
      if (result?.goal_reached === true) return 'Its goal was reached; call again on its own page';
      return optedOut.has(phone_number) ? 'Its number is on the Do Not Call list' : null;
    case 'assign':
      return isOver ? null : 'Follow-ups begin when a task has ended';
    case 'finish':
      if (!isOver) return 'It has not ended yet';
      return (follow_up_work?.done_at ?? null) === null ? null : 'It was already marked as done';
  }
}

/** The tasks in the order of the given IDs, without unknown ones; audited as seen by the caller. */
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
