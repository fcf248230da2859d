import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { getPatientResource, PatientResource } from '#shared/patients/patient-resource.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, environment('PROJECT_REQUESTS_PER_SECOND')),
  parse: (request) => readPathId(request, 'patient_id', 'patient'),
  perform: async ({ projectId }, patientId) => ({
    status: 200,
    body: await getPatientResource(table, projectId, patientId),
  }),
  response: PatientResource,
});
