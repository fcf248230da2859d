import { patientsSeen } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { listPatientsLinked, readPatientListRequest } from '#shared/http/v1-lists.ts';
import { listPatients as operation } from '#shared/operations/v1/list-patients.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/list-patients.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const access = clientAccess(table);
const addresses = clientAddresses(env.PUBLIC_BASE_URL);

export const handler = apiEndpoint(operation, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: readPatientListRequest,
  perform: async (caller, request) => {
    const page = await listPatientsLinked({ table, addresses }, caller.projectId, request);
    await access.seen(caller, patientsSeen(caller.projectId, page.body.patients));
    return page;
  },
});
