import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientLimits } from '#shared/aws/client-limits.ts';
import type { EncryptedDataKey } from '#shared/encryption/kms-data-key.ts';
import { type FindProjectKey, projectKeyOf, rememberedProjectKeys } from '#shared/encryption/project-key.ts';
import { getDataKey } from './data-key.ts';
import { recognizeOwnWrites } from './own-writes.ts';
import { documents, SealingClient } from './sealing-client.ts';

/**
 * The service's table and its client. Data access functions take it as an argument, so that tests and scripts can
 * choose the endpoint.
 */
export interface Table {
  readonly name: string;
  /** Seals and opens the health information of items. */
  readonly client: DynamoDBDocumentClient;
  /** Reads and writes items as stored: for migrations, and for bulk reads without sealed attributes. */
  readonly stored: DynamoDBDocumentClient;
  /** The key that seals a project's data. */
  readonly projectKey: FindProjectKey;
}

/** Decrypts a project's data key. */
export type OpenDataKey = (dataKey: EncryptedDataKey) => Promise<Uint8Array>;

/**
 * Opens the table; region, credentials and endpoints come from the environment.
 *
 * @param openDataKey defaults to AWS KMS
 */
export function openTable(
  name: string,
  client: DynamoDBClient = new DynamoDBClient(clientLimits()),
  openDataKey: OpenDataKey = openByKms,
): Table {
  // The SDK's log middleware takes a tenth of the time of a long list, and no logger is set.
  client.middlewareStack.remove('loggerMiddleware');
  recognizeOwnWrites(client);
  const projectKey = rememberedProjectKeys(async (projectId) => {
    const dataKey = await getDataKey({ name, client: DynamoDBDocumentClient.from(client) }, projectId);
    if (dataKey === null) return null;
    return projectKeyOf(projectId, await openDataKey(dataKey), dataKey.kms_key_arn);
  });
  return tableWith(name, client, projectKey);
}

/** The table with other keys. */
export function tableWith(name: string, client: DynamoDBClient, projectKey: FindProjectKey): Table {
  return {
    name,
    client: new SealingClient(client, projectKey),
    stored: DynamoDBDocumentClient.from(client, documents),
    projectKey,
  };
}

/** Loads the KMS client with the first key, which keeps other cold starts short. */
async function openByKms(dataKey: EncryptedDataKey): Promise<Uint8Array> {
  const { openDataKeyByKms } = await import('#shared/encryption/open-data-key.ts');
  return openDataKeyByKms(dataKey);
}
