import * as z from 'zod/mini';
import { getTaskBatch } from '#shared/operations/v1/get-task-batch.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PROJECT_REQUESTS_PER_SECOND, PUBLIC_BASE_URL, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'get-task-batch',
  description: 'GET /v1/task/batch/{batch_id}',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot read the progress of a batch and get 500.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND, PUBLIC_BASE_URL }),
  trigger: { kind: 'rest', operations: { getTaskBatch } },
  uses: ['table.read', 'table.countRequests', 'table.recordAccess', 'projectKeys.use'],
} as const satisfies FunctionManifest;
