import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  DELIVERY_QUEUE_URL,
  ERASURE_QUEUE_URL,
  RECORDING_QUEUE_URL,
  TABLE_NAME,
  WATCH_QUEUE_URL,
} from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'call-sweeper',
  description: 'Finds due tasks, calls, recordings, conversations, webhook deliveries and erasures',
  memoryMb: 512,
  timeoutSeconds: 50,
  failureMeans: 'Redials, lost calls and retried webhooks wait until the sweeper runs again.',
  environment: z.object({
    TABLE_NAME,
    CALL_QUEUE_URL,
    DELIVERY_QUEUE_URL,
    ERASURE_QUEUE_URL,
    RECORDING_QUEUE_URL,
    WATCH_QUEUE_URL,
  }),
  trigger: { kind: 'schedule', everyMinutes: 1 },
  uses: [
    'table.write',
    'table.index',
    'callQueue.send',
    'deliveryQueue.send',
    'erasureQueue.send',
    'recordingQueue.send',
    'watchQueue.send',
    'projectKeys.use',
  ],
} as const satisfies FunctionManifest;
