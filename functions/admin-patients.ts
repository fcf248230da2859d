import { enterProject } from '#shared/admin/enter-project.ts';
import { ProjectPatientBody, registerPatient, viewPatient } from '#shared/admin/patients.ts';
import { Created } from '#shared/domain/created.ts';
import { listPatientsViewed } from '#shared/http/admin-lists.ts';
import { readProjectId } from '#shared/http/admin-requests.ts';
import { readBody } from '#shared/http/json-body.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { signedInPerson } from '#shared/identity/signed-in-person.ts';
import { PatientList } from '#shared/patients/list-patients.ts';
import { PatientResource } from '#shared/patients/patient-resource.ts';
import { openTable } from '#shared/table/client.ts';
import { adminEndpoint, adminFunction } from '#shared/triggers/admin.ts';
import { environment } from '#shared/triggers/environment.ts';

const table = openTable(environment('TABLE_NAME'));
const publicBaseUrl = environment('PUBLIC_BASE_URL');

export const handler = adminFunction({
  authenticate: signedInPerson(),
  operations: {
    'GET /admin/projects/{project_id}/patients': adminEndpoint({
      parse: (request) => ({ projectId: readProjectId(request), position: readListPosition(request) }),
      perform: async (caller, { projectId, position }) => {
        const access = await enterProject(table, caller, projectId, 'viewer');
        return { status: 200, ...(await listPatientsViewed({ table, publicBaseUrl }, access, position)) };
      },
      response: PatientList,
    }),
    'POST /admin/projects/{project_id}/patients': adminEndpoint({
      parse: (request) => ({
        projectId: readProjectId(request),
        newPatient: readBody(request, ProjectPatientBody),
      }),
      perform: async (caller, { projectId, newPatient }, request) => {
        // Before any answer is looked up by the key: what a project was answered is nobody else's.
        const access = await enterProject(table, caller, projectId, 'owner');
        const register = idempotent(
          { table, status: 201, body: Created },
          async (_, body: ProjectPatientBody, remember) => {
            const { id } = await registerPatient(table, access, body, remember);
            return { id };
          },
        );
        return register({ projectId: access.project.id }, newPatient, request);
      },
      response: Created,
    }),
    'GET /admin/projects/{project_id}/patients/{patient_id}': adminEndpoint({
      parse: (request) => ({
        projectId: readProjectId(request),
        patientId: readPathId(request, 'patient_id', 'patient'),
      }),
      perform: async (caller, { projectId, patientId }) => {
        const access = await enterProject(table, caller, projectId, 'viewer');
        return { status: 200, body: await viewPatient(table, access, patientId) };
      },
      response: PatientResource,
    }),
  },
});
