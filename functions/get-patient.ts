import { patientSeen } from '#shared/audit/actions.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { getPatient } from '#shared/operations/v1/get-patient.ts';
import { getPatientResource } from '#shared/patients/patient-resource.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/get-patient.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);

export const handler = apiEndpoint(getPatient, {
  ...admission,
  parse: (request) => readPathId(request, 'patient_id', 'patient'),
  perform: async (caller, patientId) => {
    const body = await getPatientResource(table, caller.projectId, patientId);
    await access.seen(caller, patientSeen(patientId));
    return { body };
  },
});
