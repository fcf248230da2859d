import * as z from 'zod/mini';
import { getPatient } from '#shared/operations/v1/get-patient.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PROJECT_REQUESTS_PER_SECOND, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'get-patient',
  description: 'GET /v1/patient/{patient_id}',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot read patients and get 500.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND }),
  trigger: { kind: 'rest', operations: { getPatient } },
  uses: ['table.read', 'table.countRequests', 'table.recordAccess', 'projectKeys.use'],
} as const satisfies FunctionManifest;
