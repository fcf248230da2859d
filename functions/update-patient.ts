import { patientChanged, patientSeen } from '#shared/audit/actions.ts';
import { PatientChanges } from '#shared/domain/patient.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readChanges } from '#shared/http/json-body.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { updatePatient as operation } from '#shared/operations/v1/update-patient.ts';
import { changePatient } from '#shared/patients/change-patient.ts';
import { toPatientResource } from '#shared/patients/patient-resource.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/update-patient.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);

export const handler = apiEndpoint(operation, {
  ...admission,
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
    // A change without effect still returns the whole patient, which counts as an access.
    if (fields.length === 0) await access.seen(caller, patientSeen(patientId));
    return { body: toPatientResource(patient) };
  },
});
