import { authorizeProject } from '#shared/admin/authorize-project.ts';
import type { ManagementServices } from '#shared/admin/management-services.ts';
import { listAuditLogLinked, listPatientAccessLinked } from '#shared/http/admin-lists.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { readPathId } from '#shared/http/parameters.ts';
import type { auditLogOperations } from '#shared/operations/admin/audit-log.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';

export function auditLogHandlers(services: ManagementServices): AdminHandlers<typeof auditLogOperations> {
  return {
    listAuditLog: (caller, request) =>
      listAuditLogLinked(services, caller, readProjectId(request), readListPosition(request)),
    listPatientAccess: async (caller, request) => {
      const patientId = readPathId(request, 'patient_id', 'patient');
      const position = readListPosition(request);
      const access = await authorizeProject(services.table, caller, readProjectId(request), 'access.read');
      return listPatientAccessLinked(services, access, patientId, position);
    },
  };
}
