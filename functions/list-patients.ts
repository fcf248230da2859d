import { apiKeyAuthentication } from '#shared/api-keys/authenticate.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { listPatients, PatientList } from '#shared/patients/list-patients.ts';
import { openTable } from '#shared/table/client.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const publicBaseUrl = environment('PUBLIC_BASE_URL');

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  parse: readListPosition,
  perform: async ({ projectId }, request) => ({
    status: 200,
    ...(await listPatients({ table, publicBaseUrl }, projectId, request)),
  }),
  response: PatientList,
});
