import * as z from 'zod/mini';
import { listTasks } from '#shared/operations/v1/list-tasks.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PROJECT_REQUESTS_PER_SECOND, PUBLIC_BASE_URL, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'list-tasks',
  description: 'GET /v1/task',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot list tasks and get 500.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND, PUBLIC_BASE_URL }),
  trigger: { kind: 'rest', operations: { listTasks } },
  uses: ['table.read', 'table.countRequests', 'table.recordAccess', 'projectKeys.use'],
} as const satisfies FunctionManifest;
