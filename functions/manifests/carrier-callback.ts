import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  LIVE_CARRIER_SECRET_ID,
  PUBLIC_BASE_URL,
  RELAY_URL,
  SANDBOX_CARRIER_SECRET_ID,
  TABLE_NAME,
} from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'carrier-callback',
  description: 'Verifies what the carrier reports about a call and passes it on',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Calls that are answered hear nothing, and the progress of calls is seen late or not at all.',
  failureStopsCalls: true,
  environment: z.object({
    TABLE_NAME,
    CALL_QUEUE_URL,
    PUBLIC_BASE_URL,
    RELAY_URL,
    SANDBOX_CARRIER_SECRET_ID,
    LIVE_CARRIER_SECRET_ID,
  }),
  trigger: {
    kind: 'rest',
    routes: [
      {
        method: 'POST',
        path: '/carrier/{callback+}',
        authentication: 'carrier-signature',
        summary: 'The carrier asks what to do with a call, or reports on it.',
      },
    ],
  },
  uses: [
    'table.read',
    'callQueue.send',
    'sandboxCarrierSecret.read',
    'liveCarrierSecret.read',
    'projectKeys.use',
  ],
} as const satisfies FunctionManifest;
