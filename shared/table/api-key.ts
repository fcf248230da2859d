import * as z from 'zod/mini';
import { ApiKey } from '#shared/domain/api-key.ts';
import type { Table } from './client.ts';
import { deleteItem } from './delete-items.ts';
import { getItem } from './get-item.ts';
import { indexNames } from './indexes.ts';
import { type Page, type PageRequest, readNewestFirst } from './newest-first.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPrefix } from './query-pages.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, itemPut, itemUpdate, updateIf } from './transaction-items.ts';
import { wholeItems } from './whole-items.ts';

function apiKeyKey(keyHash: string): PrimaryKey {
  return { pk: `APIKEY#${keyHash}`, sk: 'APIKEY' };
}

/** A project has few keys, so they need no shards. */
function projectKeysPartition(projectId: string): string {
  return `PROJECT#${projectId}#APIKEY`;
}

/** Finds a key by its public ID. The index would do, but lags a moment behind creation. */
function apiKeyNameKey(projectId: string, apiKeyId: string): PrimaryKey {
  return { pk: `PROJECT#${projectId}`, sk: `APIKEY#${apiKeyId}` };
}

const ApiKeyName = z.object({ key_hash: z.string() });

/** Two items: the key by its hash, for requests, and its hash by its ID. */
export function createApiKeyItems(table: Table, apiKey: ApiKey): TransactionItem[] {
  const { id, key_hash, project_id } = apiKey;
  return [
    itemPut(
      table,
      {
        ...apiKeyKey(key_hash),
        type: 'api-key',
        project_pk: projectKeysPartition(project_id),
        project_sk: id,
        ...apiKey,
      },
      isNew,
    ),
    itemPut(table, { ...apiKeyNameKey(project_id, id), type: 'api-key-name', key_hash }),
  ];
}

/** Strongly consistent, so that revocation time does not depend on the replica read. */
export async function getApiKey(table: Table, keyHash: string): Promise<ApiKey | null> {
  return getItem(table, apiKeyKey(keyHash), ApiKey.parse);
}

/** The key with this identifier, if it is one of the project's. Strongly consistent. */
export async function findApiKey(table: Table, projectId: string, apiKeyId: string): Promise<ApiKey | null> {
  return getItem(table, apiKeyNameKey(projectId, apiKeyId), (item) =>
    getApiKey(table, ApiKeyName.parse(item).key_hash),
  );
}

/** All keys of a project, revoked and expired ones too. Strongly consistent. */
export async function readAllApiKeys(table: Table, projectId: string): Promise<ApiKey[]> {
  const hashes = await readKeyHashes(table, projectId);
  const keys = await Promise.all(hashes.map((hash) => getApiKey(table, hash)));
  return keys.filter((key) => key !== null);
}

/** Deletes the API keys of a project, which ends all access with them. */
export async function deleteProjectKeys(table: Table, projectId: string): Promise<void> {
  for (const hash of await readKeyHashes(table, projectId)) await deleteItem(table, apiKeyKey(hash));
}

async function readKeyHashes(table: Table, projectId: string): Promise<string[]> {
  const { pk, sk } = apiKeyNameKey(projectId, '');
  const names = await queryPrefix(table, pk, sk);
  return names.map((item) => ApiKeyName.parse(item).key_hash);
}

/** Revokes a key, on the condition that it is not revoked yet. */
export function revokeApiKeyItem(table: Table, { key_hash }: ApiKey, revokedAt: string): TransactionItem {
  return itemUpdate(table, apiKeyKey(key_hash), {
    change: 'SET revoked_at = :at',
    condition: 'revoked_at = :not_yet',
    values: { at: revokedAt, not_yet: null },
  });
}

/** Sets a key's expiry and its replacement, on the condition that it was neither revoked nor replaced before. */
export function replaceApiKeyItem(
  table: Table,
  { key_hash }: ApiKey,
  { expires_at, replaced_by }: Pick<ApiKey, 'expires_at' | 'replaced_by'>,
): TransactionItem {
  return itemUpdate(table, apiKeyKey(key_hash), {
    change: 'SET expires_at = :end, replaced_by = :successor',
    condition: 'revoked_at = :not_yet AND (attribute_not_exists(replaced_by) OR replaced_by = :not_yet)',
    values: { end: expires_at, successor: replaced_by, not_yet: null },
  });
}

/** Records that the key is in use, unless that was recorded after `unlessSince`. */
export async function noteApiKeyUse(
  table: Table,
  { key_hash }: ApiKey,
  usedAt: string,
  unlessSince: string,
): Promise<void> {
  await updateIf(table, apiKeyKey(key_hash), {
    change: 'SET last_used_at = :at',
    // A null expiry never compares with anything but itself.
    condition: 'last_used_at = :never OR last_used_at <= :since',
    values: { at: usedAt, never: null, since: unlessSince },
  });
}

/** The keys of a project, newest first, the revoked and expired ones too. */
export async function listProjectApiKeys(
  table: Table,
  projectId: string,
  request: PageRequest,
): Promise<Page<ApiKey>> {
  const source = {
    index: indexNames.rows,
    partitionKey: 'project_pk',
    sortKey: 'project_sk',
    partitions: [projectKeysPartition(projectId)],
  };
  const { items, next } = await readNewestFirst(table, source, request, (row) => row);
  return { items: (await wholeItems(table, items)).map((item) => ApiKey.parse(item)), next };
}
