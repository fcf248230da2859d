import { Created } from '#shared/domain/created.ts';
import { NewPatient } from '#shared/domain/patient.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readBody } from '#shared/http/json-body.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, environment('PROJECT_REQUESTS_PER_SECOND')),
  parse: (request) => readBody(request, NewPatient),
  perform: idempotent(
    { table, status: 201, body: Created },
    async ({ projectId }, newPatient: NewPatient, remember) => {
      const { id } = await createPatient(table, { projectId, newPatient, alongside: remember });
      return { id };
    },
  ),
  response: Created,
});
