import * as z from 'zod/mini';
import { getTask } from '#shared/operations/v1/get-task.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PROJECT_REQUESTS_PER_SECOND, PUBLIC_BASE_URL, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'get-task',
  description: 'GET /v1/task/{task_id}',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot read the status of their tasks and get 500.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND, PUBLIC_BASE_URL }),
  trigger: { kind: 'rest', operations: { getTask } },
  uses: ['table.read', 'table.countRequests', 'table.recordAccess', 'projectKeys.use'],
} as const satisfies FunctionManifest;
