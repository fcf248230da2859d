import * as z from 'zod/mini';
import { deleteTask } from '#shared/operations/v1/delete-task.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { ERASURE_QUEUE_URL, PROJECT_REQUESTS_PER_SECOND, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'delete-task',
  description: 'DELETE /v1/task/{task_id}',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot have tasks erased and get 500.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND, ERASURE_QUEUE_URL }),
  trigger: { kind: 'rest', operations: { deleteTask } },
  uses: ['table.write', 'table.countRequests', 'erasureQueue.send', 'projectKeys.use'],
} as const satisfies FunctionManifest;
