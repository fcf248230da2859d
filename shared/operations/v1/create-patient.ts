import { Created } from '#shared/domain/created.ts';
import { PatientRegistration } from '#shared/domain/patient.ts';
import { ids, newPatient } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { bodyErrors, keyError, lacksScope, otherProjectsKey, patientParameter } from '../parameters.ts';

export const createPatient = {
  method: 'POST',
  path: '/v1/patient',
  authentication: 'api-key',
  summary: 'Create a patient in the project of the API key.',
  tag: 'Patients',
  scope: 'patients:write',
  idempotent: true,
  body: { schema: PatientRegistration, examples: newPatient },
  success: {
    status: 201,
    description: 'The patient is created.',
    schema: Created,
    example: { id: ids.patient },
    links: {
      getPatient: {
        operationId: 'getPatient',
        parameters: { patient_id: '$response.body#/id' },
      },
    },
  },
  errors: {
    400: [...bodyErrors, 'phone_number must match ^\\+[1-9]\\d{1,14}$', keyError],
    403: [lacksScope('patients:write'), otherProjectsKey],
    409: [patientParameter],
  },
} as const satisfies Operation;
