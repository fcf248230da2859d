import { PatientResource } from '#shared/patients/patient-resource.ts';
import { patient } from '../examples.ts';
import type { Operation } from '../operation.ts';

export const getPatient = {
  method: 'GET',
  path: '/v1/patient/{patient_id}',
  authentication: 'api-key',
  summary: 'Read one patient.',
  tag: 'Patients',
  success: {
    status: 200,
    description: 'The patient; what was not given is null.',
    schema: PatientResource,
    example: patient,
  },
  errors: { 400: ['Invalid patient ID format'], 404: ['Patient not found'] },
} as const satisfies Operation;
