import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  PUBLIC_BASE_URL,
  RELAY_URL,
  SANDBOX_BUCKET,
  SANDBOX_CARRIER_SECRET_ID,
  SANDBOX_LINE_QUEUE_URL,
  SANDBOX_PHONE_PACE,
  SANDBOX_PHONE_SPEECH,
  SANDBOX_TABLE_NAME,
} from '#shared/triggers/variables.ts';

const timeoutSeconds = 900;

export const manifest = {
  name: 'sandbox-phone-line',
  description: 'Sandbox phone: runs one simulated call from ringing to hang-up',
  // A full vCPU: it synthesizes the speech of both sides.
  memoryMb: 1769,
  timeoutSeconds,
  failureMeans: 'Sandbox calls break off midway; live projects are unaffected.',
  environment: z.object({
    SANDBOX_TABLE_NAME,
    SANDBOX_BUCKET,
    SANDBOX_LINE_QUEUE_URL,
    SANDBOX_CARRIER_SECRET_ID,
    PUBLIC_BASE_URL,
    RELAY_URL,
    SANDBOX_PHONE_PACE,
    SANDBOX_PHONE_SPEECH,
  }),
  trigger: {
    kind: 'queue',
    queue: 'sandboxLineQueue',
    batchSize: 1,
    // One message is one call, and the longest call lasts as long as a function may run.
    visibilityTimeoutSeconds: timeoutSeconds,
    maxReceives: 3,
    maxConcurrency: 50,
    deadLettersMean: "Some sandbox calls were never played; their tasks end at the call's time limit.",
  },
  uses: [
    'sandboxTable.write',
    'sandboxRecordings.write',
    'sandboxPeople.read',
    'sandboxLineQueue.send',
    'sandboxCarrierSecret.read',
  ],
  allowsRecursion: true,
  // A request is a whole call, most of which is waiting for the other side.
  requestsPerWorker: 10,
} as const satisfies FunctionManifest;
