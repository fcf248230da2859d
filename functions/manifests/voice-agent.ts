import * as z from 'zod/mini';
import { dialogueVariables } from '#shared/triggers/dialogue-variables.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  LIVE_CARRIER_SECRET_ID,
  RELAY_MANAGEMENT_URL,
  RELAY_URL,
  SANDBOX_CARRIER_SECRET_ID,
  SILENCE_SECONDS,
  TABLE_NAME,
  WATCH_QUEUE_URL,
} from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'voice-agent',
  description: 'Holds the conversation, one frame of the relay at a time',
  memoryMb: 1024,
  // Below the gateway's 29 s, after which it would send the carrier an error frame of its own.
  timeoutSeconds: 25,
  failureMeans: 'The agent falls silent mid-call.',
  failureStopsCalls: true,
  environment: z.object({
    TABLE_NAME,
    WATCH_QUEUE_URL,
    RELAY_URL,
    RELAY_MANAGEMENT_URL,
    SILENCE_SECONDS,
    SANDBOX_CARRIER_SECRET_ID,
    LIVE_CARRIER_SECRET_ID,
    ...dialogueVariables,
  }),
  trigger: { kind: 'relay' },
  uses: [
    'table.write',
    'watchQueue.send',
    'relay.manageConnections',
    'sandboxCarrierSecret.read',
    'liveCarrierSecret.read',
    'languageModels.invoke',
    'projectKeys.use',
  ],
  // A language model's turn takes seconds, during which people speak and interrupt; the built-in model is CPU-bound.
  requestsPerWorker: 10,
  oneRequestPerWorkerIf: { DIALOGUE_MODEL: 'built-in' },
} as const satisfies FunctionManifest;
