import { ErasureReceipt } from '#shared/erasure/order-erasure.ts';
import { patientErasure } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { lacksScope, onLegalHold } from '../parameters.ts';

export const deletePatient = {
  method: 'DELETE',
  path: '/v1/patient/{patient_id}',
  authentication: 'api-key',
  summary: 'Erase a patient, with all tasks, transcripts, results and recordings.',
  tag: 'Patients',
  scope: 'erasures:write',
  description:
    'The patient is gone at once, unfinished tasks are canceled, and the rest is erased within minutes, ' +
    "here and at the telephone carrier. The receipt's progress is at `GET /v1/erasure/{erasure_id}`; " +
    'repeating the request returns the same receipt.',
  success: {
    status: 202,
    description: 'The receipt of the erasure.',
    schema: ErasureReceipt,
    example: patientErasure,
  },
  errors: {
    400: ['Invalid patient ID format'],
    403: [lacksScope('erasures:write')],
    404: ['Patient not found'],
    409: [onLegalHold],
  },
} as const satisfies Operation;
