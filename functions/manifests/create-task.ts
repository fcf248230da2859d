import * as z from 'zod/mini';
import { createTask } from '#shared/operations/v1/create-task.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  LIVE_CARRIER_CALLS_PER_SECOND,
  LIVE_CARRIER_MAX_CALLS,
  NUMBER_CALLS_PER_DAY,
  NUMBER_GAP_MINUTES,
  OPT_OUT_SCOPE,
  PROJECT_REQUESTS_PER_SECOND,
  SANDBOX_CARRIER_BASE_URL,
  SHARED_LINE_CALLS_PER_DAY,
  SHARED_LINE_GAP_MINUTES,
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
    LIVE_CARRIER_CALLS_PER_SECOND,
    LIVE_CARRIER_MAX_CALLS,
    NUMBER_CALLS_PER_DAY,
    NUMBER_GAP_MINUTES,
    OPT_OUT_SCOPE,
    SHARED_LINE_CALLS_PER_DAY,
    SHARED_LINE_GAP_MINUTES,
  }),
  trigger: { kind: 'rest', operations: { createTask } },
  uses: ['table.write', 'table.countRequests', 'callQueue.send', 'projectKeys.use'],
} as const satisfies FunctionManifest;
