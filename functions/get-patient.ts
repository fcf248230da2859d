import { patientSeen } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { getPatient } from '#shared/operations/v1/get-patient.ts';
import { getPatientResource } from '#shared/patients/patient-resource.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/get-patient.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const access = clientAccess(table);

export const handler = apiEndpoint(getPatient, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: (request) => readPathId(request, 'patient_id', 'patient'),
  perform: async (caller, patientId) => {
    const body = await getPatientResource(table, caller.projectId, patientId);
    await access.seen(caller, patientSeen(patientId));
    return { body };
  },
});
