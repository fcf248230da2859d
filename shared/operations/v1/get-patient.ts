import { PatientResource } from '#shared/patients/patient-resource.ts';
import { patient } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { lacksScope } from '../parameters.ts';

export const getPatient = {
  method: 'GET',
  path: '/v1/patient/{patient_id}',
  authentication: 'api-key',
  summary: 'Get a patient.',
  tag: 'Patients',
  scope: 'patients:read',
  success: {
    status: 200,
    description: 'The patient; members without a value are null.',
    schema: PatientResource,
    example: patient,
  },
  errors: {
    400: ['Invalid patient ID format'],
    403: [lacksScope('patients:read')],
    404: ['Patient not found'],
  },
} as const satisfies Operation;
