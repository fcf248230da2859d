import { openProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { migrations } from '#shared/migrations/migrations.ts';
import type { Table } from '#shared/table/client.ts';

/** Does what the stream does on a stack: from now on, the search finds a project's stored patients and tasks. */
export async function indexForSearch(table: Table, projectId: string): Promise<void> {
  const migration = migrations.find(({ name }) => name === 'index-for-search');
  await migration?.migrateProject(table, projectId, { isDry: false, keys: openProjectKeyMaker(table.name) });
}
