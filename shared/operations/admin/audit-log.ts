import { AuditLog } from '#shared/admin/audit-log.ts';
import type { Operations } from '../operation.ts';
import { cursorError, limitError, pageParameters } from '../parameters.ts';
import { noProject } from './errors.ts';

/** What people did in a project. */
export const auditLogOperations = {
  listAuditLog: {
    method: 'GET',
    path: '/admin/projects/{project_id}/audit-log',
    authentication: 'oidc',
    summary: 'List what was done in the project and by whom, newest first.',
    tag: 'Audit log',
    query: pageParameters,
    success: { status: 200, description: 'A page of entries.', schema: AuditLog, headers: ['Link'] },
    errors: { 400: [limitError, cursorError], 404: [noProject] },
  },
} as const satisfies Operations;
