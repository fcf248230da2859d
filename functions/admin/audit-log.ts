import { readAuditLog, viewPatientAccess } from '#shared/admin/audit-log.ts';
import { enterProject } from '#shared/admin/enter-project.ts';
import { readProjectId } from '#shared/admin/named-project.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { readPathId } from '#shared/http/parameters.ts';
import type { auditLogOperations } from '#shared/operations/admin/audit-log.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';
import type { AdminServices } from './admin-services.ts';

export function auditLogHandlers(services: AdminServices): AdminHandlers<typeof auditLogOperations> {
  return {
    listAuditLog: (caller, request) =>
      readAuditLog(services, caller, readProjectId(request), readListPosition(request)),
    listPatientAccess: async (caller, request) => {
      const patientId = readPathId(request, 'patient_id', 'patient');
      const position = readListPosition(request);
      const access = await enterProject(services.table, caller, readProjectId(request), 'access.read');
      return viewPatientAccess(services, access, patientId, position);
    },
  };
}
