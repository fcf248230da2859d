import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  DELIVERY_QUEUE_URL,
  ERASURE_QUEUE_URL,
  MAIL_FROM,
  OIDC_CLIENT_ID,
  OIDC_ISSUER,
  PUBLIC_BASE_URL,
  RECORDINGS_BUCKET,
  SANDBOX_CARRIER_BASE_URL,
  SECRETS_KEY_ID,
  SESSION_SECRET_ID,
  TABLE_NAME,
  WEBHOOK_LOOPBACK,
} from '#shared/triggers/variables.ts';

const page = { method: 'GET', authentication: 'session' } as const;

export const manifest = {
  name: 'dashboard',
  description: 'The pages where people manage projects',
  memoryMb: 1024,
  // Validates and stores a file of 5,000 rows within one request.
  timeoutSeconds: 25,
  failureMeans: 'People see an error instead of a dashboard page; the API works.',
  environment: z.object({
    TABLE_NAME,
    CALL_QUEUE_URL,
    DELIVERY_QUEUE_URL,
    ERASURE_QUEUE_URL,
    RECORDINGS_BUCKET,
    SECRETS_KEY_ID,
    SESSION_SECRET_ID,
    PUBLIC_BASE_URL,
    MAIL_FROM,
    WEBHOOK_LOOPBACK,
    SANDBOX_CARRIER_BASE_URL,
    OIDC_ISSUER,
    OIDC_CLIENT_ID,
  }),
  trigger: {
    kind: 'rest',
    routes: [
      { ...page, path: '/dashboard', summary: 'Dashboard: sign in, or list the projects.' },
      { ...page, path: '/dashboard/{proxy+}', summary: 'Dashboard: its pages and forms.' },
    ],
    resources: ['/dashboard', '/dashboard/{proxy+}'],
  },
  uses: [
    'table.write',
    'table.delete',
    'callQueue.send',
    'deliveryQueue.send',
    'erasureQueue.send',
    'recordings.read',
    'exports.read',
    'secretsKey.decrypt',
    'secretsKey.encrypt',
    'sessionSecret.read',
    'projectKeys.use',
    'projectKeys.create',
  ],
} as const satisfies FunctionManifest;
