import { PatientExportResource } from '#shared/patient-exports/order-export.ts';
import { patientExport } from '../examples.ts';
import { noProject, onlyFor } from './errors.ts';
import { forPeople } from './for-people.ts';

const path = '/admin/projects/{project_id}/patients/{patient_id}/export';
const forbidden = [onlyFor('records.export')];
const badId = ['Invalid patient ID format'];

/** All data about one patient in one file. */
export const patientExportOperations = forPeople('Patients', {
  exportProjectPatient: {
    method: 'POST',
    path,
    summary: 'Request the export of a patient: a zip of all data, recordings included.',
    description:
      'The zip holds `patient.json`, `tasks/{task_id}.json` with calls, transcripts and results, ' +
      '`access.json` with who saw the patient, `recordings/{call_id}.wav` and `contents.json`. It is ready ' +
      'within minutes and deleted a day later, or with the patient. A request while it is being made ' +
      'returns the same export; afterwards it is made anew.',
    success: {
      status: 202,
      description: 'The state of the export.',
      schema: PatientExportResource,
      example: patientExport,
    },
    errors: {
      400: badId,
      403: forbidden,
      404: [noProject, 'Patient not found'],
      409: ['An earlier export is being deleted; try again in a minute'],
    },
  },
  getProjectPatientExport: {
    method: 'GET',
    path,
    summary: 'Read the state of a patient’s export.',
    success: {
      status: 200,
      description: 'The state of the export.',
      schema: PatientExportResource,
      example: patientExport,
    },
    errors: { 400: badId, 403: forbidden, 404: [noProject, 'Patient not found', 'Export not found'] },
  },
  downloadProjectPatientExport: {
    method: 'GET',
    path: `${path}/file`,
    summary: 'Redirect to a patient’s export by a short-lived link.',
    description: 'The link is valid for 300 seconds and needs no token; each one is audited.',
    success: {
      status: 302,
      description: 'URL of the file.',
      schema: null,
      headers: ['Location'],
    },
    errors: {
      400: badId,
      403: forbidden,
      404: [noProject, 'Patient not found', 'Export not found'],
      409: ['The export is not ready'],
    },
  },
});
