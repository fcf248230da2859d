import { PatientChanges } from '#shared/domain/patient.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readChanges } from '#shared/http/json-body.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { updatePatient as operation } from '#shared/operations/v1/update-patient.ts';
import { updatePatient } from '#shared/patients/update-patient.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/update-patient.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);

export const handler = apiEndpoint(operation, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: (request) => ({
    patientId: readPathId(request, 'patient_id', 'patient'),
    changes: readChanges(request, PatientChanges),
  }),
  perform: async ({ projectId }, request) => ({ body: await updatePatient(table, projectId, request) }),
});
