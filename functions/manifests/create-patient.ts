import * as z from 'zod/mini';
import { createPatient } from '#shared/operations/v1/create-patient.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PROJECT_REQUESTS_PER_SECOND, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'create-patient',
  description: 'POST /v1/patient',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot register patients and get 500.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND }),
  trigger: { kind: 'rest', operations: { createPatient } },
  uses: ['table.write', 'table.countRequests', 'projectKeys.use'],
} as const satisfies FunctionManifest;
