import { patientCreated } from '#shared/audit/actions.ts';
import { Created } from '#shared/domain/created.ts';
import { PatientRegistration } from '#shared/domain/patient.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readNewPatient } from '#shared/http/json-body.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { createPatient as operation } from '#shared/operations/v1/create-patient.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint, type Caller } from '#shared/triggers/http.ts';
import { manifest } from './manifests/create-patient.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);

export const handler = apiEndpoint(operation, {
  ...admission,
  parse: (request) => readNewPatient(request, PatientRegistration),
  perform: idempotent(
    { table, body: Created },
    async (caller: Caller, newPatient: PatientRegistration, remember) => {
      const { id } = await createPatient(table, {
        projectId: caller.projectId,
        newPatient,
        alongside: (patient) => [
          ...remember({ id: patient.id }),
          access.changed(caller, patientCreated(patient)),
        ],
      });
      return { id };
    },
  ),
});
