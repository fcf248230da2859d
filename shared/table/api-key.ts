import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { ApiKey } from '#shared/domain/api-key.ts';
import type { Table } from './client.ts';
import type { TransactionItem } from './transaction.ts';

function apiKeyKey(keyHash: string): { pk: string; sk: string } {
  return { pk: `APIKEY#${keyHash}`, sk: 'APIKEY' };
}

export function createApiKeyItem(table: Table, apiKey: ApiKey): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...apiKeyKey(apiKey.key_hash),
        type: 'api-key',
        // A project has few keys, so they need no shards.
        project_pk: `PROJECT#${apiKey.project_id}#APIKEY`,
        project_sk: apiKey.created_at,
        ...apiKey,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

export async function getApiKey(table: Table, keyHash: string): Promise<ApiKey | null> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: apiKeyKey(keyHash) }),
  );
  return Item === undefined ? null : ApiKey.parse(Item);
}
