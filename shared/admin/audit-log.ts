import * as z from 'zod/mini';
import { AuditEntry } from '#shared/domain/audit-entry.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import { fitPage, type ListPosition, toPageRequest } from '#shared/lists/list-page.ts';
import { getPatientResource } from '#shared/patients/patient-resource.ts';
import { listAuditEntries, listPatientAccess } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { auditView } from './audit.ts';
import { authorizeProject, type ProjectAccess } from './authorize-project.ts';

export const AuditEntryResource = z.omit(AuditEntry, { project_id: true });

export const AuditLog = z.object({
  entries: z.array(AuditEntryResource),
  next_cursor: z.nullable(z.string()),
});
export type AuditLog = z.infer<typeof AuditLog>;

/** The project's audit log, newest first. Throws `invalid_request` for a cursor of another list. */
export async function readAuditLog(
  table: Table,
  caller: AdminCaller,
  projectId: string,
  position: ListPosition,
): Promise<AuditLog> {
  const { project } = await authorizeProject(table, caller, projectId, 'audit.read');
  const list = ['audit-log', project.id];
  const page = await listAuditEntries(table, project.id, toPageRequest(list, position));
  const { resources, nextCursor } = fitPage(list, page, position);
  return { entries: resources, next_cursor: nextCursor };
}

/**
 * Who saw or changed a patient's data, newest first; audited as seen by the caller. Lags a moment behind the audit
 * log. Throws `invalid_request` for a cursor of another list, `not_found` for a patient the project never had.
 */
export async function viewPatientAccess(
  table: Table,
  access: ProjectAccess,
  patientId: string,
  position: ListPosition,
): Promise<AuditLog> {
  const { id } = access.project;
  const list = ['patient-access', id, patientId];
  const page = await listPatientAccess(table, id, patientId, toPageRequest(list, position));
  // The access log of an erased patient stays readable.
  if (page.items.length === 0) await getPatientResource(table, id, patientId);
  await auditView(table, access, {
    action: 'patient-access.viewed',
    target: { type: 'patient', id: patientId },
    patientIds: [patientId],
  });
  const { resources, nextCursor } = fitPage(list, page, position);
  return { entries: resources, next_cursor: nextCursor };
}
