import { patientsSeen } from '#shared/audit/actions.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { listPatientsLinked, readPatientListRequest } from '#shared/http/v1-lists.ts';
import { listPatients as operation } from '#shared/operations/v1/list-patients.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/list-patients.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);
const addresses = clientAddresses(env.PUBLIC_BASE_URL);

export const handler = apiEndpoint(operation, {
  ...admission,
  parse: readPatientListRequest,
  perform: async (caller, request) => {
    const page = await listPatientsLinked({ table, addresses }, caller.projectId, request);
    await access.seen(caller, patientsSeen(caller.projectId, page.body.patients));
    return page;
  },
});
