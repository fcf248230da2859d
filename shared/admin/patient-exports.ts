import { exportOrdered, patientExported } from '#shared/audit/actions.ts';
import { objectLink } from '#shared/aws/object-link.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import type { PatientExport } from '#shared/domain/patient-export.ts';
import { patientExportKey } from '#shared/patient-exports/export-store.ts';
import { orderPatientExport } from '#shared/patient-exports/order-export.ts';
import { getPatientResource } from '#shared/patients/patient-resource.ts';
import type { Table } from '#shared/table/client.ts';
import { getPatientExport } from '#shared/table/patient-export.ts';
import { auditAction, auditItem } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** Requests the export of a patient. Throws what `orderPatientExport` throws. */
export function orderExportOf(
  table: Table,
  access: ProjectAccess,
  patientId: string,
): Promise<PatientExport> {
  const now = new Date();
  return orderPatientExport(table, {
    projectId: access.project.id,
    patientId,
    now,
    alongside: () => [auditItem(table, access, exportOrdered(patientId), now)],
  });
}

/** The state of a patient's latest export; null without one. Throws `not_found` for an unknown patient. */
export async function findExportOf(
  table: Table,
  { project }: ProjectAccess,
  patientId: string,
): Promise<PatientExport | null> {
  // An erased patient's export is not served, even before its file is deleted.
  await getPatientResource(table, project.id, patientId);
  return getPatientExport(table, patientId);
}

/** As above, but throws `not_found` when there is no export. */
export async function getExportOf(
  table: Table,
  access: ProjectAccess,
  patientId: string,
): Promise<PatientExport> {
  const found = await findExportOf(table, access, patientId);
  if (found === null) throw new ServiceError('not_found', 'Export not found');
  return found;
}

/**
 * A temporary link to the file; each request for one is audited. Throws `not_found`, and `conflict` when the
 * file is not ready or has expired.
 */
export async function downloadExport(
  { table, bucket }: { readonly table: Table; readonly bucket: string },
  access: ProjectAccess,
  patientId: string,
): Promise<string> {
  const now = new Date();
  const found = await getExportOf(table, access, patientId);
  if (found.status !== 'DONE' || Date.parse(found.due_at) <= now.getTime()) {
    throw new ServiceError('conflict', 'The export is not ready');
  }
  await auditAction(table, access, patientExported(patientId), now);
  const fileName = `patient-export-${found.id}.zip`;
  return objectLink(table.client.config, bucket, patientExportKey(access.project.id, patientId), {
    fileName,
  });
}
