import { listAuditLogLinked } from '#shared/http/admin-lists.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import type { auditLogOperations } from '#shared/operations/admin/audit-log.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';
import type { AdminServices } from './admin-services.ts';

export function auditLogHandlers(services: AdminServices): AdminHandlers<typeof auditLogOperations> {
  return {
    listAuditLog: (caller, request) =>
      listAuditLogLinked(services, caller, readProjectId(request), readListPosition(request)),
  };
}
