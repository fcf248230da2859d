import * as z from 'zod/mini';
import { createTaskBatch } from '#shared/operations/v1/create-task-batch.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  PROJECT_REQUESTS_PER_SECOND,
  SANDBOX_CARRIER_BASE_URL,
  TABLE_NAME,
} from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'create-task-batch',
  description: 'POST /v1/task/batch',
  // A full vCPU: a thousand tasks are validated while the client waits.
  memoryMb: 1769,
  timeoutSeconds: 25,
  failureMeans: 'Clients cannot create batches of tasks and get 500; single tasks still work.',
  environment: z.object({
    TABLE_NAME,
    PROJECT_REQUESTS_PER_SECOND,
    CALL_QUEUE_URL,
    SANDBOX_CARRIER_BASE_URL,
  }),
  trigger: { kind: 'rest', operations: { createTaskBatch } },
  uses: ['table.write', 'table.countRequests', 'callQueue.send', 'projectKeys.use'],
} as const satisfies FunctionManifest;
