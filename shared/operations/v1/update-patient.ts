import { PatientChanges } from '#shared/domain/patient.ts';
import { PatientResource } from '#shared/patients/patient-resource.ts';
import { patient } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { bodyErrors, lacksScope, otherProjectsKey, patientParameter } from '../parameters.ts';

export const updatePatient = {
  method: 'PATCH',
  path: '/v1/patient/{patient_id}',
  authentication: 'api-key',
  summary: 'Update a patient.',
  tag: 'Patients',
  scope: 'patients:write',
  description:
    'Absent members stay unchanged, null clears a member, and an address or insurance is replaced as a ' +
    'whole. Later calls use the new values.',
  body: {
    schema: PatientChanges,
    examples: { 'A new number': { phone_number: '+12025550143' } },
  },
  success: {
    status: 200,
    description: 'The updated patient.',
    schema: PatientResource,
    example: { ...patient, phone_number: '+12025550143' },
  },
  errors: {
    400: [...bodyErrors, 'Invalid patient ID format'],
    403: [lacksScope('patients:write'), otherProjectsKey],
    404: ['Patient not found'],
    409: [patientParameter],
    413: ['The patient would be too large to be stored'],
  },
} as const satisfies Operation;
