import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { putItem } from './create-item.ts';
import { getItem } from './get-item.ts';

const key = { pk: 'DATAVERSION', sk: 'DATAVERSION' };

export const DataVersion = z.object({
  /** The number of migrations applied. */
  version: z.int().check(z.gte(0)),
  /** The last project that the next migration has finished; null before it starts. */
  migrated_up_to: z.nullable(Uuid),
  updated_at: Timestamp,
});
export type DataVersion = z.infer<typeof DataVersion>;

/** Null for data that was never migrated. */
export async function getDataVersion(table: Table): Promise<DataVersion | null> {
  return getItem(table, key, DataVersion.parse);
}

export async function putDataVersion(table: Table, version: DataVersion): Promise<void> {
  await putItem(table, { ...key, type: 'data-version', ...version });
}
