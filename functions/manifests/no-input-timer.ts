import * as z from 'zod/mini';
import { dialogueVariables } from '#shared/triggers/dialogue-variables.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  RELAY_KEEP_ALIVE_SECONDS,
  RELAY_URL,
  SILENCE_SECONDS,
  TABLE_NAME,
  WATCH_QUEUE_URL,
} from '#shared/triggers/variables.ts';

const timeoutSeconds = 25;

export const manifest = {
  name: 'no-input-timer',
  description: 'Notices when nothing is heard on a line any more, or when a hold takes too long',
  memoryMb: 1024,
  timeoutSeconds,
  failureMeans: 'Calls on which nobody speaks, or which stay on hold, last longer than they should.',
  environment: z.object({
    TABLE_NAME,
    WATCH_QUEUE_URL,
    RELAY_URL,
    SILENCE_SECONDS,
    RELAY_KEEP_ALIVE_SECONDS,
    ...dialogueVariables,
  }),
  trigger: {
    kind: 'queue',
    queue: 'watchQueue',
    batchSize: 5,
    // Someone is on the line, so a failed message comes again soon; one that comes twice does no harm.
    visibilityTimeoutSeconds: timeoutSeconds,
    maxReceives: 5,
    maxConcurrency: 20,
    deadLettersMean:
      'Conversations are no longer watched: calls on which nobody speaks end only by their limit.',
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
