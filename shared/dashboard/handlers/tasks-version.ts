import { createHash } from 'node:crypto';
import type { TaskVersion } from '#shared/table/task-rows.ts';

/** A hash that changes with the tasks of a list and reveals nothing of them. */
export function tasksVersion(rows: readonly TaskVersion[]): string {
  const states = rows.map(({ id, status, updated_at, listed }) => [id, status, updated_at, listed]);
  return createHash('sha256').update(JSON.stringify(states)).digest('base64url');
}
