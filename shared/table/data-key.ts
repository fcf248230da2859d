import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { EncryptedDataKey } from '#shared/encryption/kms-data-key.ts';
import type { Table } from './client.ts';
import type { TransactionItem } from './transaction.ts';

/** What keys are read and written with: no sealing, which needs the keys. */
type PlainTable = Pick<Table, 'name' | 'client'>;

const StoredDataKey = z.object({
  project_id: Uuid,
  table_name: z.string(),
  kms_key_arn: z.string(),
  encrypted: z.string(),
});

function dataKeyKey(projectId: string): { pk: string; sk: string } {
  return { pk: `PROJECT#${projectId}`, sk: 'DATAKEY' };
}

/** Holds while the project has no data key: another one would leave what the first has sealed unreadable. */
export function createDataKeyItem(table: PlainTable, dataKey: EncryptedDataKey): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...dataKeyKey(dataKey.project_id), type: 'data-key', ...dataKey },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Strongly consistent: what is written next must be sealed if it can be. */
export async function getDataKey(table: PlainTable, projectId: string): Promise<EncryptedDataKey | null> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: dataKeyKey(projectId), ConsistentRead: true }),
  );
  return Item === undefined ? null : StoredDataKey.parse(Item);
}
