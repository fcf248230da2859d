import * as z from 'zod/mini';
import { updatePatient } from '#shared/operations/v1/update-patient.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PROJECT_REQUESTS_PER_SECOND, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'update-patient',
  description: 'PATCH /v1/patient/{patient_id}',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot change patients and get 500.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND }),
  trigger: { kind: 'rest', operations: { updatePatient } },
  uses: ['table.write', 'table.delete', 'table.countRequests', 'projectKeys.use'],
} as const satisfies FunctionManifest;
