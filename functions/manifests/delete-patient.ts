import * as z from 'zod/mini';
import { deletePatient } from '#shared/operations/v1/delete-patient.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { ERASURE_QUEUE_URL, PROJECT_REQUESTS_PER_SECOND, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'delete-patient',
  description: 'DELETE /v1/patient/{patient_id}',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot have patients erased and get 500.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND, ERASURE_QUEUE_URL }),
  trigger: { kind: 'rest', operations: { deletePatient } },
  uses: ['table.write', 'table.delete', 'table.countRequests', 'erasureQueue.send', 'projectKeys.use'],
} as const satisfies FunctionManifest;
