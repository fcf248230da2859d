import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { EncryptedDataKey } from '#shared/encryption/kms-data-key.ts';
import { getItem } from './get-item.ts';

/** What keys are read and written with: without sealing, which needs the keys. */
interface PlainTable {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
}

export const StoredDataKey = z.object({
  project_id: Uuid,
  table_name: z.string(),
  kms_key_arn: z.string(),
  encrypted: z.string(),
});

export function dataKeyKey(projectId: string): { pk: string; sk: string } {
  return { pk: `PROJECT#${projectId}`, sk: 'DATAKEY' };
}

/** Strongly consistent, so that the next write is sealed. */
export async function getDataKey(table: PlainTable, projectId: string): Promise<EncryptedDataKey | null> {
  return getItem(table, dataKeyKey(projectId), StoredDataKey.parse);
}
