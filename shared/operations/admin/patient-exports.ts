import { PatientExportResource } from '#shared/patient-exports/order-export.ts';
import { patientExport } from '../examples.ts';
import type { Operations } from '../operation.ts';
import { noProject, onlyFor } from './errors.ts';

const path = '/admin/projects/{project_id}/patients/{patient_id}/export';
const forbidden = [onlyFor('records.export')];
const badId = ['Invalid patient ID format'];

/** All that is kept of one patient, in one file. */
export const patientExportOperations = {
  exportProjectPatient: {
    method: 'POST',
    path,
    authentication: 'oidc',
    summary: 'Order the export of a patient: a zip of everything that is kept, recordings included.',
    tag: 'Patients',
    description:
      'The zip holds `patient.json`, `tasks/{task_id}.json` with calls, transcripts and results, `access.json` with who saw the patient, `recordings/{call_id}.wav` and `contents.json`. It is made within minutes and deleted a day later, or with the patient. Asked again while it is being made, the answer is the same export; afterwards it is made anew.',
    success: {
      status: 202,
      description: 'How far the export is.',
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
    authentication: 'oidc',
    summary: 'Read how far the export of a patient is.',
    tag: 'Patients',
    success: {
      status: 200,
      description: 'How far the export is.',
      schema: PatientExportResource,
      example: patientExport,
    },
    errors: { 400: badId, 403: forbidden, 404: [noProject, 'Patient not found', 'Export not found'] },
  },
  downloadProjectPatientExport: {
    method: 'GET',
    path: `${path}/file`,
    authentication: 'oidc',
    summary: 'Redirect to the export of a patient by a link that lives a few minutes.',
    tag: 'Patients',
    description: 'The link lives 300 seconds and needs no token; each one is written down in the audit log.',
    success: {
      status: 302,
      description: 'Where the file can be fetched.',
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
} as const satisfies Operations;
