import { openProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { migrations } from '#shared/migrations/migrations.ts';
import type { Table } from '#shared/table/client.ts';

/** Does for a project what the stream does on a stack: patients and tasks that were stored are found from now on. */
export async function indexForSearch(table: Table, projectId: string): Promise<void> {
  const migration = migrations.find(({ name }) => name === 'index-for-search');
  await migration?.migrateProject(table, projectId, { isDry: false, keys: openProjectKeyMaker(table.name) });
}
