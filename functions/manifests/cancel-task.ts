import * as z from 'zod/mini';
import { cancelTask } from '#shared/operations/v1/cancel-task.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  PROJECT_REQUESTS_PER_SECOND,
  PUBLIC_BASE_URL,
  TABLE_NAME,
} from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'cancel-task',
  description: 'POST /v1/task/{task_id}/cancel',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot cancel tasks and get 500, so unwanted calls are made.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND, CALL_QUEUE_URL, PUBLIC_BASE_URL }),
  trigger: { kind: 'rest', operations: { cancelTask } },
  uses: ['table.write', 'table.countRequests', 'callQueue.send', 'projectKeys.use'],
} as const satisfies FunctionManifest;
