import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  LIVE_CARRIER_CALLS_PER_SECOND,
  LIVE_CARRIER_MAX_CALLS,
  LIVE_CARRIER_SECRET_ID,
  OPT_OUT_SCOPE,
  PUBLIC_BASE_URL,
  RECORDING_QUEUE_URL,
  SANDBOX_CARRIER_BASE_URL,
  SANDBOX_CARRIER_SECRET_ID,
  TABLE_NAME,
} from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'call-runner',
  description: 'Places calls and follows them to their end',
  memoryMb: 512,
  timeoutSeconds: 60,
  failureMeans: 'Calls are placed late, or ended calls stay in progress until the queue tries again.',
  environment: z.object({
    TABLE_NAME,
    CALL_QUEUE_URL,
    RECORDING_QUEUE_URL,
    OPT_OUT_SCOPE,
    PUBLIC_BASE_URL,
    SANDBOX_CARRIER_SECRET_ID,
    SANDBOX_CARRIER_BASE_URL,
    LIVE_CARRIER_SECRET_ID,
    LIVE_CARRIER_CALLS_PER_SECOND,
    LIVE_CARRIER_MAX_CALLS,
  }),
  trigger: {
    kind: 'queue',
    queue: 'callQueue',
    batchSize: 5,
    maxReceives: 5,
    maxConcurrency: 20,
    deadLettersMean:
      'Something about a call was given up: a task is not dialled, or its call ends only by its limit.',
  },
  uses: [
    'table.write',
    'table.delete',
    'callQueue.send',
    'recordingQueue.send',
    'sandboxCarrierSecret.read',
    'liveCarrierSecret.read',
  ],
  allowsRecursion: true,
} as const satisfies FunctionManifest;
