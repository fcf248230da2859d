import * as z from 'zod/mini';
import { getErasure } from '#shared/operations/v1/get-erasure.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PROJECT_REQUESTS_PER_SECOND, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'get-erasure',
  description: 'GET /v1/erasure/{erasure_id}',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot see the progress of an erasure and get 500.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND }),
  trigger: { kind: 'rest', operations: { getErasure } },
  uses: ['table.read', 'table.countRequests'],
} as const satisfies FunctionManifest;
