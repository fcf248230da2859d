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
  description: "Verifies and forwards the carrier's reports about a call",
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'People who answer hear nothing, and call progress arrives late or never.',
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
        summary: 'The carrier asks for instructions on a call, or reports on it.',
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
