import * as z from 'zod/mini';
import { cancelTaskBatch } from '#shared/operations/v1/cancel-task-batch.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { CALL_QUEUE_URL, PROJECT_REQUESTS_PER_SECOND, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'cancel-task-batch',
  description: 'POST /v1/task/batch/{batch_id}/cancel',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot cancel batches and get 500, so unwanted calls are made.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND, CALL_QUEUE_URL }),
  trigger: { kind: 'rest', operations: { cancelTaskBatch } },
  uses: ['table.write', 'table.countRequests', 'callQueue.send', 'projectKeys.use'],
} as const satisfies FunctionManifest;
