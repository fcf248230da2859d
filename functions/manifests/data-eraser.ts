import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  ERASURE_QUEUE_URL,
  LIVE_CARRIER_SECRET_ID,
  RECORDINGS_BUCKET,
  SANDBOX_CARRIER_BASE_URL,
  SANDBOX_CARRIER_SECRET_ID,
  TABLE_NAME,
} from '#shared/triggers/variables.ts';

/** Each run erases for a few minutes and leaves the rest to the next. */
const longestRunSeconds = 15 * 60;

export const manifest = {
  name: 'data-eraser',
  description:
    'Erases patients, tasks and projects, on request or after their retention period; exports patients',
  memoryMb: 512,
  timeoutSeconds: longestRunSeconds,
  failureMeans: 'Erasures and exports wait until the next attempt.',
  environment: z.object({
    TABLE_NAME,
    CALL_QUEUE_URL,
    ERASURE_QUEUE_URL,
    RECORDINGS_BUCKET,
    SANDBOX_CARRIER_SECRET_ID,
    SANDBOX_CARRIER_BASE_URL,
    LIVE_CARRIER_SECRET_ID,
  }),
  trigger: {
    kind: 'queue',
    queue: 'erasureQueue',
    batchSize: 1,
    // A crashed run restarts only once it can no longer be running. The work is idempotent.
    visibilityTimeoutSeconds: longestRunSeconds,
    maxReceives: 5,
    maxConcurrency: 5,
    deadLettersMean: 'Erasures and exports resume only when the sweeper finds them due, so they take longer.',
  },
  uses: [
    'table.write',
    'table.delete',
    'table.index',
    'callQueue.send',
    'erasureQueue.send',
    'recordings.read',
    'recordings.erase',
    'exports.write',
    'sandboxCarrierSecret.read',
    'liveCarrierSecret.read',
    'projectKeys.use',
    'projectKeys.delete',
  ],
  allowsRecursion: true,
} as const satisfies FunctionManifest;
