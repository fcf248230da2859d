import * as z from 'zod/mini';
import { createTask } from '#shared/operations/v1/create-task.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  PROJECT_REQUESTS_PER_SECOND,
  SANDBOX_CARRIER_BASE_URL,
  TABLE_NAME,
} from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'create-task',
  description: 'POST /v1/task',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot create tasks and get 500, so no new calls are made.',
  environment: z.object({
    TABLE_NAME,
    PROJECT_REQUESTS_PER_SECOND,
    CALL_QUEUE_URL,
    SANDBOX_CARRIER_BASE_URL,
  }),
  trigger: { kind: 'rest', operations: { createTask } },
  uses: ['table.write', 'table.countRequests', 'callQueue.send'],
} as const satisfies FunctionManifest;
