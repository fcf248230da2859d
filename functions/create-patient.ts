import { apiKeyAuthentication } from '#shared/api-keys/authenticate.ts';
import { NewPatient } from '#shared/domain/patient.ts';
import { Created } from '#shared/http/created.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { createPatient as operation } from '#shared/operations/v1/create-patient.ts';
import { createPatient, readNewPatient } from '#shared/patients/create-patient.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/create-patient.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);

export const handler = apiEndpoint(operation, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: (request) => readNewPatient(request, NewPatient),
  perform: idempotent({ table, body: Created }, async ({ projectId }, newPatient: NewPatient, remember) => {
    const { id } = await createPatient(table, projectId, newPatient, remember);
    return { id };
  }),
});
