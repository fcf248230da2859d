import * as z from 'zod/mini';
import { dialogueVariables } from '#shared/triggers/dialogue-variables.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  RELAY_KEEP_ALIVE_SECONDS,
  RELAY_MANAGEMENT_URL,
  SILENCE_SECONDS,
  TABLE_NAME,
  WATCH_QUEUE_URL,
} from '#shared/triggers/variables.ts';

const timeoutSeconds = 25;

export const manifest = {
  name: 'no-input-timer',
  description: 'Detects silence on a call, and holds that take too long',
  memoryMb: 1024,
  timeoutSeconds,
  failureMeans: 'Silent calls and calls on hold last longer than they should.',
  environment: z.object({
    TABLE_NAME,
    WATCH_QUEUE_URL,
    RELAY_MANAGEMENT_URL,
    SILENCE_SECONDS,
    RELAY_KEEP_ALIVE_SECONDS,
    ...dialogueVariables,
  }),
  trigger: {
    kind: 'queue',
    queue: 'watchQueue',
    batchSize: 5,
    // A person is on the line, so a failed message retries soon; a duplicate does no harm.
    visibilityTimeoutSeconds: timeoutSeconds,
    maxReceives: 5,
    maxConcurrency: 20,
    deadLettersMean: 'Silence goes unnoticed: silent calls end only at their time limit.',
  },
  uses: [
    'table.write',
    'watchQueue.send',
    'relay.manageConnections',
    'languageModels.invoke',
    'projectKeys.use',
  ],
  allowsRecursion: true,
} as const satisfies FunctionManifest;
