import { authorizeProject } from '#shared/admin/authorize-project.ts';
import { erasePatientOf } from '#shared/admin/erasures.ts';
import type { ManagementServices } from '#shared/admin/management-services.ts';
import { editPatient, ProjectPatientBody, registerPatient, viewPatient } from '#shared/admin/patients.ts';
import { Created } from '#shared/domain/created.ts';
import { PatientChanges } from '#shared/domain/patient.ts';
import { tryToEnqueueErasure } from '#shared/erasure/erasure-queue.ts';
import { listPatientsViewed } from '#shared/http/admin-lists.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readChanges, readNewPatient } from '#shared/http/json-body.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import type { patientOperations } from '#shared/operations/admin/patients.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';

export function patientHandlers(services: ManagementServices): AdminHandlers<typeof patientOperations> {
  const { table } = services;
  return {
    listProjectPatients: async (caller, request) => {
      const position = readListPosition(request);
      const access = await authorizeProject(table, caller, readProjectId(request), 'patients.read');
      return listPatientsViewed(services, access, position);
    },
    createProjectPatient: async (caller, request) => {
      const newPatient = readNewPatient(request, ProjectPatientBody);
      // Authorizes before looking up a stored response by the key: a response belongs to its project.
      const access = await authorizeProject(table, caller, readProjectId(request), 'patients.write');
      const register = idempotent({ table, body: Created }, async (_, body: ProjectPatientBody, remember) => {
        const { id } = await registerPatient(table, access, body, (patient) => remember({ id: patient.id }));
        return { id };
      });
      return register({ projectId: access.project.id }, newPatient, request);
    },
    getProjectPatient: async (caller, request) => {
      const patientId = readPathId(request, 'patient_id', 'patient');
      const access = await authorizeProject(table, caller, readProjectId(request), 'patients.read');
      return { body: await viewPatient(table, access, patientId) };
    },
    updateProjectPatient: async (caller, request) => {
      const patientId = readPathId(request, 'patient_id', 'patient');
      const changes = readChanges(request, PatientChanges);
      const access = await authorizeProject(table, caller, readProjectId(request), 'patients.write');
      return { body: await editPatient(table, access, { patientId, changes }) };
    },
    deleteProjectPatient: async (caller, request) => {
      const patientId = readPathId(request, 'patient_id', 'patient');
      const access = await authorizeProject(table, caller, readProjectId(request), 'records.erase');
      const erasure = await erasePatientOf(table, access, patientId);
      await tryToEnqueueErasure(services.erasureQueue, erasure.id);
      return { body: erasure };
    },
  };
}
