import { AuditLog } from '#shared/admin/audit-log.ts';
import { cursorError, limitError, pageParameters } from '../parameters.ts';
import { noProject, onlyFor } from './errors.ts';
import { forPeople } from './for-people.ts';

/** The changes in a project, and who saw its patients. */
export const auditLogOperations = forPeople('Audit log', {
  listAuditLog: {
    method: 'GET',
    path: '/admin/projects/{project_id}/audit-log',
    summary: 'List the audit log of a project, newest first.',
    query: pageParameters,
    success: { status: 200, description: 'A page of entries.', schema: AuditLog, headers: ['Link'] },
    errors: { 400: [limitError, cursorError], 403: [onlyFor('audit.read')], 404: [noProject] },
  },
  listPatientAccess: {
    method: 'GET',
    path: '/admin/projects/{project_id}/patients/{patient_id}/access-log',
    summary: 'List the accesses to a patient, newest first.',
    query: pageParameters,
    success: { status: 200, description: 'A page of entries.', schema: AuditLog, headers: ['Link'] },
    errors: {
      400: ['Invalid patient ID format', limitError, cursorError],
      403: [onlyFor('access.read')],
      404: [noProject, 'Patient not found'],
    },
  },
});
