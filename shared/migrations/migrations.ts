import type { Table } from '#shared/table/client.ts';
import { relistTask, tasksToRelist } from '#shared/table/relist-task.ts';

export interface MigrationOptions {
  /** Whether only to count what would be changed. */
  readonly isDry: boolean;
}

/** Brings stored items into the form of a later version. Done twice, it changes nothing. */
export interface Migration {
  readonly name: string;
  /** Works on one project; returns how many items it changed or, when dry, would change. */
  readonly migrateProject: (table: Table, projectId: string, options: MigrationOptions) => Promise<number>;
}

/** In the order in which they were added. The version of data is how many of them it has been through. */
export const migrations: readonly Migration[] = [
  { name: 'list-finished-tasks', migrateProject: listFinishedTasks },
];

/** Tasks that ended before lists had indexes of their own are missing from what still needs a person. */
async function listFinishedTasks(
  table: Table,
  projectId: string,
  options: MigrationOptions,
): Promise<number> {
  let changed = 0;
  for await (const taskIds of tasksToRelist(table, projectId)) {
    for (const taskId of taskIds) if (await relistTask(table, taskId, options)) changed += 1;
  }
  return changed;
}
