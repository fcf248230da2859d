import { createHash } from 'node:crypto';
import { keyedHash } from '#shared/encryption/project-key.ts';
import type { Table } from '#shared/table/client.ts';
import type { IdempotencyKey } from '#shared/table/idempotency.ts';

/** How long a repeated row is recognized, so that no one is called twice for it. */
export const rememberedSeconds = 30 * 24 * 60 * 60;

/** Identifies what a row creates, across files and imports. */
export function rowKey(kind: 'patient' | 'task', meaning: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, meaning]))
    .digest('hex');
}

/** The `rowKey` of the patient with this external ID or, without one, this `samePersonKey`. */
export function patientRowKey(externalId: string, person: string | null): string {
  return rowKey('patient', externalId === '' ? person : `external ${externalId}`);
}

/**
 * The key under which a row's result is stored: a keyed hash, because a `rowKey` hashes a name, birth date or external
 * ID that can be guessed.
 */
export async function importedKey(table: Table, projectId: string, key: string): Promise<IdempotencyKey> {
  const projectKey = await table.projectKey(projectId);
  return projectKey === null
    ? keyOfHash(projectId, key)
    : keyOfHash(projectId, keyedHash(projectKey, 'row', key));
}

/** All keys under which a row's result may be: earlier versions stored it by its `rowKey`. */
export async function importedKeys(table: Table, projectId: string, key: string): Promise<IdempotencyKey[]> {
  const [own, plain] = [await importedKey(table, projectId, key), keyOfHash(projectId, key)];
  return own.keyHash === plain.keyHash ? [own] : [own, plain];
}

export function keyOfHash(projectId: string, keyHash: string): IdempotencyKey {
  return { projectId, scope: 'IMPORT', keyHash };
}
