import { patientCreated } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { Created } from '#shared/domain/created.ts';
import { PatientRegistration } from '#shared/domain/patient.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readNewPatient } from '#shared/http/json-body.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { createPatient as operation } from '#shared/operations/v1/create-patient.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint, type Caller } from '#shared/triggers/http.ts';
import { manifest } from './manifests/create-patient.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const access = clientAccess(table);

export const handler = apiEndpoint(operation, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: (request) => readNewPatient(request, PatientRegistration),
  perform: idempotent(
    { table, body: Created },
    async (caller: Caller, newPatient: PatientRegistration, remember) => {
      const { id } = await createPatient(table, {
        projectId: caller.projectId,
        newPatient,
        alongside: (patient) => [...remember(patient), access.changed(caller, patientCreated(patient))],
      });
      return { id };
    },
  ),
});
