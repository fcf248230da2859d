import { setTimeout } from 'node:timers/promises';
import type { ProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { absenceRememberedMs } from '#shared/encryption/project-key.ts';
import { writeWithDataKey } from '#shared/projects/data-key.ts';
import type { Table } from '#shared/table/client.ts';
import { getDataKey } from '#shared/table/data-key.ts';
import { patientKey } from '#shared/table/patient.ts';
import { projectItemIds } from '#shared/table/project-items.ts';
import { relistTask, tasksToRelist } from '#shared/table/relist-task.ts';
import { itemsToSeal, sealStoredItem } from '#shared/table/seal-stored.ts';
import { addSearchTerms } from '#shared/table/search-term.ts';
import { taskKey } from '#shared/table/task-key.ts';

export interface MigrationOptions {
  /** Creates keys for projects without one. */
  readonly keys: ProjectKeyMaker;
  /** Whether only to count what would change. */
  readonly isDry: boolean;
}

/** Migrates stored items to a later version. Idempotent. */
export interface Migration {
  readonly name: string;
  /** Migrates one project; returns how many items it changed or, in a dry run, would change. */
  readonly migrateProject: (table: Table, projectId: string, options: MigrationOptions) => Promise<number>;
}

/** In order of addition. The data's version is the number of migrations applied. */
export const migrations: readonly Migration[] = [
  { name: 'list-finished-tasks', migrateProject: listFinishedTasks },
  { name: 'seal-health-information', migrateProject: sealHealthInformation },
  { name: 'index-for-search', migrateProject: indexForSearch },
  { name: 'index-last-digits-of-numbers', migrateProject: indexForSearch },
];

/** Tasks that ended before lists had indexes of their own are missing from the tasks that need a person. */
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

/** Patients and tasks stored before the search index had all of its terms lack some. */
async function indexForSearch(table: Table, projectId: string, options: MigrationOptions): Promise<number> {
  let changed = 0;
  for await (const ids of projectItemIds(table, projectId, 'PATIENT')) {
    for (const id of ids) if (await addSearchTerms(table, patientKey(id), options)) changed += 1;
  }
  for await (const ids of projectItemIds(table, projectId, 'TASK')) {
    for (const id of ids) if (await addSearchTerms(table, taskKey(id), options)) changed += 1;
  }
  return changed;
}

/** Before projects had keys, every backup of the table was readable. */
async function sealHealthInformation(
  table: Table,
  projectId: string,
  { isDry, keys }: MigrationOptions,
): Promise<number> {
  if (!isDry && (await getDataKey(table, projectId)) === null) {
    await writeWithDataKey({ table, keys }, projectId, []);
    // Until every function has loaded the key and seals what it writes.
    await setTimeout(2 * absenceRememberedMs);
  }
  let changed = 0;
  for await (const items of itemsToSeal(table, projectId)) {
    for (const item of items) {
      if (await sealStoredItem(table, projectId, item, { isDry })) changed += 1;
    }
  }
  return changed;
}
