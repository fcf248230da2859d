import { clientAddresses } from '#shared/http/addresses.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { listPatientsLinked } from '#shared/http/v1-lists.ts';
import { PatientList } from '#shared/patients/list-patients.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const addresses = clientAddresses(environment('PUBLIC_BASE_URL'));

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, environment('PROJECT_REQUESTS_PER_SECOND')),
  parse: readListPosition,
  perform: async ({ projectId }, request) => ({
    status: 200,
    ...(await listPatientsLinked({ table, addresses }, projectId, request)),
  }),
  response: PatientList,
});
