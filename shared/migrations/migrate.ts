import type { Table } from '#shared/table/client.ts';
import { getDataVersion, putDataVersion } from '#shared/table/data-version.ts';
import { projectIds } from '#shared/table/project.ts';
import { checkReadable } from './check-readable.ts';
import { type Migration, type MigrationOptions, migrations } from './migrations.ts';

export interface MigrationReport {
  readonly version_before: number;
  /** Unchanged by a dry run. */
  readonly version: number;
  readonly dry_run: boolean;
  readonly migrations: readonly MigrationProgress[];
}

export interface MigrationProgress {
  readonly name: string;
  readonly projects: number;
  readonly changed: number;
}

/**
 * Runs all pending migrations. After an interruption, continues with the next project. Throws when the data is of a
 * later version, or older than this one can read, before it changes anything.
 *
 * @param tell receives progress per project
 */
export async function migrate(
  table: Table,
  { isDry, keys, tell }: MigrationOptions & { readonly tell: (progress: MigrationProgress) => void },
): Promise<MigrationReport> {
  const stored = await getDataVersion(table);
  const versionBefore = stored?.version ?? 0;
  if (versionBefore > migrations.length) {
    throw new Error(
      `the data has version ${versionBefore}, and this release knows ${migrations.length}: use a later release`,
    );
  }
  const pending = [...migrations.entries()].slice(versionBefore);
  if (pending.length > 0) {
    for await (const ids of projectIds(table)) for (const id of ids) await checkReadable(table, id);
  }
  const done: MigrationProgress[] = [];
  for (const [index, migration] of pending) {
    const upTo = index === versionBefore ? (stored?.migrated_up_to ?? null) : null;
    const passed = async (version: number, projectId: string | null): Promise<void> => {
      if (isDry) return;
      const at = new Date().toISOString();
      await putDataVersion(table, { version, migrated_up_to: projectId, updated_at: at });
    };
    done.push(await runOne(table, migration, { isDry, keys, tell, upTo, passed: (id) => passed(index, id) }));
    await passed(index + 1, null);
  }
  return {
    version_before: versionBefore,
    version: isDry ? versionBefore : migrations.length,
    dry_run: isDry,
    migrations: done,
  };
}

async function runOne(
  table: Table,
  { name, migrateProject }: Migration,
  {
    isDry,
    keys,
    tell,
    upTo,
    passed,
  }: MigrationOptions & {
    readonly tell: (progress: MigrationProgress) => void;
    /** The last project that an earlier run finished. */
    readonly upTo: string | null;
    readonly passed: (projectId: string) => Promise<void>;
  },
): Promise<MigrationProgress> {
  let progress: MigrationProgress = { name, projects: 0, changed: 0 };
  for await (const ids of projectIds(table)) {
    for (const id of ids) {
      // Projects come in ID order.
      if (upTo !== null && id <= upTo) continue;
      const changed = await migrateProject(table, id, { isDry, keys });
      progress = { name, projects: progress.projects + 1, changed: progress.changed + changed };
      await passed(id);
      tell(progress);
    }
  }
  return progress;
}
