import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  LIVE_CARRIER_SECRET_ID,
  RECORDING_QUEUE_URL,
  RECORDINGS_BUCKET,
  SANDBOX_CARRIER_BASE_URL,
  SANDBOX_CARRIER_SECRET_ID,
  TABLE_NAME,
} from '#shared/triggers/variables.ts';

/** Lambda's maximum, for the longest recording over a slow connection. */
const longestRunSeconds = 15 * 60;

export const manifest = {
  name: 'recording-ingest',
  description: 'Fetches recordings from the carrier and deletes unwanted ones',
  memoryMb: 512,
  timeoutSeconds: longestRunSeconds,
  failureMeans: 'Recordings are stored late, so calls stay in progress, or are kept too long.',
  environment: z.object({
    TABLE_NAME,
    CALL_QUEUE_URL,
    RECORDING_QUEUE_URL,
    RECORDINGS_BUCKET,
    SANDBOX_CARRIER_SECRET_ID,
    SANDBOX_CARRIER_BASE_URL,
    LIVE_CARRIER_SECRET_ID,
  }),
  trigger: {
    kind: 'queue',
    queue: 'recordingQueue',
    // One at a time: a batch would take as long as all of its recordings together.
    batchSize: 1,
    // A crashed run restarts only once it can no longer be running. The work is idempotent.
    visibilityTimeoutSeconds: longestRunSeconds,
    maxReceives: 5,
    maxConcurrency: 10,
    deadLettersMean:
      'Recordings are fetched or deleted only when the sweeper finds their call due, so calls stay in progress.',
  },
  uses: [
    'table.write',
    'table.delete',
    'callQueue.send',
    'recordingQueue.send',
    'recordings.write',
    'sandboxCarrierSecret.read',
    'liveCarrierSecret.read',
    'projectKeys.use',
  ],
  allowsRecursion: true,
} as const satisfies FunctionManifest;
