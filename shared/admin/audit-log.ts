import * as z from 'zod/mini';
import { AuditEntry } from '#shared/domain/audit-entry.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import { type ListPosition, nextPageHeader, toAnswer, toPageRequest } from '#shared/http/list-page.ts';
import { getPatientResource } from '#shared/patients/patient-resource.ts';
import { listAuditEntries, listPatientAccess } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { auditView } from './audit.ts';
import { enterProject, type ProjectAccess } from './enter-project.ts';

export const AuditEntryResource = z.omit(AuditEntry, { project_id: true });

export const AuditLog = z.object({
  entries: z.array(AuditEntryResource),
  next_cursor: z.nullable(z.string()),
});
type AuditLog = z.infer<typeof AuditLog>;

/** What was done in the project and by whom, newest first. Throws `invalid_request` for a cursor of another list. */
export async function readAuditLog(
  { table, publicBaseUrl }: { table: Table; publicBaseUrl: string },
  caller: AdminCaller,
  projectId: string,
  position: ListPosition,
): Promise<{ body: AuditLog; headers: Record<string, string> }> {
  const { project } = await enterProject(table, caller, projectId, 'audit.read');
  const list = ['audit-log', project.id];
  const page = await listAuditEntries(table, project.id, toPageRequest(list, position));
  const { resources, nextCursor } = toAnswer(list, page);
  return {
    body: { entries: resources, next_cursor: nextCursor },
    headers: nextPageHeader(
      `${publicBaseUrl}/admin/projects/${project.id}/audit-log`,
      {},
      position,
      nextCursor,
    ),
  };
}

/**
 * Who saw or changed what is known of a patient, newest first, which the caller is written down to have looked at. It lags a
 * moment behind the audit log. Throws `invalid_request` for a cursor of another list, `not_found` for a patient whom the
 * project never had.
 */
export async function viewPatientAccess(
  { table, publicBaseUrl }: { table: Table; publicBaseUrl: string },
  access: ProjectAccess,
  patientId: string,
  position: ListPosition,
): Promise<{ body: AuditLog; headers: Record<string, string> }> {
  const { id } = access.project;
  const list = ['patient-access', id, patientId];
  const page = await listPatientAccess(table, id, patientId, toPageRequest(list, position));
  // Of a patient who was erased it is still told who saw them.
  if (page.items.length === 0) await getPatientResource(table, id, patientId);
  await auditView(table, access, {
    action: 'patient-access.viewed',
    target: { type: 'patient', id: patientId },
    patientIds: [patientId],
  });
  const { resources, nextCursor } = toAnswer(list, page);
  const address = `${publicBaseUrl}/admin/projects/${id}/patients/${patientId}/access-log`;
  return {
    body: { entries: resources, next_cursor: nextCursor },
    headers: nextPageHeader(address, {}, position, nextCursor),
  };
}
