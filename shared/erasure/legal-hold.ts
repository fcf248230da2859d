import type { Table } from '#shared/table/client.ts';
import { getProject } from '#shared/table/project.ts';
import type { Delay } from './erasure-services.ts';

/**
 * What blocks every erasure in a project under a legal hold; null without one. Asked again before each thing that is
 * erased, because a run may take minutes.
 */
export async function legalHold(table: Table, projectId: string): Promise<Delay | null> {
  const project = await getProject(table, projectId, { consistently: true });
  return project?.legal_hold === true ? { reason: 'The project is under a legal hold.', until: null } : null;
}
