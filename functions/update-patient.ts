import { patientChanged, patientSeen } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { PatientChanges } from '#shared/domain/patient.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readChanges } from '#shared/http/json-body.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { updatePatient as operation } from '#shared/operations/v1/update-patient.ts';
import { changePatient } from '#shared/patients/change-patient.ts';
import { toPatientResource } from '#shared/patients/patient-resource.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/update-patient.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const access = clientAccess(table);

export const handler = apiEndpoint(operation, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: (request) => ({
    patientId: readPathId(request, 'patient_id', 'patient'),
    changes: readChanges(request, PatientChanges),
  }),
  perform: async (caller, { patientId, changes }) => {
    const { patient, fields } = await changePatient(table, caller.projectId, {
      patientId,
      changes,
      by: `API key ${caller.apiKeyId}`,
      alongside: (changed) => [access.changed(caller, patientChanged(patientId, changed))],
    });
    // Even a change of nothing returns the whole patient.
    if (fields.length === 0) await access.seen(caller, patientSeen(patientId));
    return { body: toPatientResource(patient) };
  },
});
