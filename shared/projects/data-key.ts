import type { ProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import type { Table } from '#shared/table/client.ts';
import { IdempotencyKeyTaken } from '#shared/table/idempotency.ts';
import { createDataKeyItem } from '#shared/table/project.ts';
import {
  TransactionConditionFailed,
  type TransactionItem,
  writeTransaction,
} from '#shared/table/transaction.ts';

export interface DataKeyServices {
  readonly table: Table;
  readonly keys: ProjectKeyMaker | null;
}

/**
 * Writes items together with a new data key for the project. If the write fails, the KMS key is deleted; it is kept
 * when the outcome is unknown.
 */
export async function writeWithDataKey(
  { table, keys }: DataKeyServices,
  projectId: string,
  items: readonly TransactionItem[],
): Promise<void> {
  if (keys === null) return writeTransaction(table, [...items]);
  const dataKey = await keys.create(projectId);
  try {
    await writeTransaction(table, [...items, createDataKeyItem(table, dataKey)]);
  } catch (error) {
    const isUnwritten = error instanceof TransactionConditionFailed || error instanceof IdempotencyKeyTaken;
    if (isUnwritten) await keys.delete(dataKey.kms_key_arn);
    throw error;
  }
}
