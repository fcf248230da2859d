import * as z from 'zod/mini';
import { getCallRecording } from '#shared/operations/v1/get-call-recording.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PROJECT_REQUESTS_PER_SECOND, RECORDINGS_BUCKET, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'get-call-recording',
  description: 'GET /v1/call/{call_id}/recording',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Clients cannot fetch recordings and get 500.',
  environment: z.object({ TABLE_NAME, PROJECT_REQUESTS_PER_SECOND, RECORDINGS_BUCKET }),
  trigger: { kind: 'rest', operations: { getCallRecording } },
  uses: ['table.read', 'table.countRequests', 'table.recordAccess', 'recordings.read', 'projectKeys.use'],
} as const satisfies FunctionManifest;
