import * as z from 'zod/mini';
import { AuditEntry } from '#shared/domain/audit-entry.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import { fitPage, type ListPosition, toPageRequest } from '#shared/lists/list-page.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { authorizeProject } from './authorize-project.ts';

export const AuditEntryResource = z.omit(AuditEntry, { project_id: true });

export const AuditLog = z.object({
  entries: z.array(AuditEntryResource),
  next_cursor: z.nullable(z.string()),
});
export type AuditLog = z.infer<typeof AuditLog>;

/** What was done in the project and by whom, newest first. Throws `invalid_request` for a cursor of another list. */
export async function readAuditLog(
  table: Table,
  caller: AdminCaller,
  projectId: string,
  position: ListPosition,
): Promise<AuditLog> {
  const { project } = await authorizeProject(table, caller, projectId, 'viewer');
  const list = ['audit-log', project.id];
  const page = await listAuditEntries(table, project.id, toPageRequest(list, position));
  const { resources, nextCursor } = fitPage(list, page, position);
  return { entries: resources, next_cursor: nextCursor };
}
