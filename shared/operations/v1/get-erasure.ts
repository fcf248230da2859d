import { ErasureReceipt } from '#shared/erasure/order-erasure.ts';
import { patientErasure } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { lacksScope } from '../parameters.ts';

export const getErasure = {
  method: 'GET',
  path: '/v1/erasure/{erasure_id}',
  authentication: 'api-key',
  summary: 'Get the receipt of an erasure.',
  tag: 'Erasures',
  scope: 'erasures:read',
  description:
    'Its ID is that of the erased patient or task. `DONE` means that nothing is left; `waiting_for` says ' +
    'what a pending erasure waits for.',
  success: {
    status: 200,
    description: 'The receipt.',
    schema: ErasureReceipt,
    example: { ...patientErasure, status: 'DONE', completed_at: '2026-11-20T15:08:21.002Z' },
  },
  errors: {
    400: ['Invalid erasure ID format'],
    403: [lacksScope('erasures:read')],
    404: ['Erasure not found'],
  },
} as const satisfies Operation;
