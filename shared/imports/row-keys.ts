import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '#shared/table/idempotency.ts';

/** How long a repeated row is recognized, so that no one is called twice for it. */
export const rememberedSeconds = 30 * 24 * 60 * 60;

/** The key under which a row's result is stored, across files and imports. */
export function rowKey(kind: 'patient' | 'task', meaning: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, meaning]))
    .digest('hex');
}

export function importedKey(projectId: string, key: string): IdempotencyKey {
  return { projectId: `${projectId}#IMPORT`, keyHash: key };
}
