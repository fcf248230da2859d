import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { EncryptedDataKey } from '#shared/encryption/kms-data-key.ts';
import { getItem, type ReadableTable } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';

export const StoredDataKey = z.object({
  project_id: Uuid,
  table_name: z.string(),
  kms_key_arn: z.string(),
  encrypted: z.string(),
});

export function dataKeyKey(projectId: string): PrimaryKey {
  return { pk: `PROJECT#${projectId}`, sk: 'DATAKEY' };
}

/** Strongly consistent, so that the next write is sealed. Read without sealing, which needs the key. */
export async function getDataKey(table: ReadableTable, projectId: string): Promise<EncryptedDataKey | null> {
  return getItem(table, dataKeyKey(projectId), StoredDataKey.parse);
}
