import * as z from 'zod/mini';
import { adminOperations } from '#shared/operations/admin/operations.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  CALL_QUEUE_URL,
  DELIVERY_QUEUE_URL,
  ERASURE_QUEUE_URL,
  LIVE_CARRIER_SECRET_ID,
  MAIL_FROM,
  OIDC_CLIENT_ID,
  OIDC_ISSUER,
  OPERATOR_EMAILS,
  PUBLIC_BASE_URL,
  RECORDINGS_BUCKET,
  SANDBOX_CARRIER_BASE_URL,
  SECRETS_KEY_ID,
  TABLE_NAME,
  WEBHOOK_LOOPBACK,
} from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'admin',
  description: 'The management API for projects and their contents',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans:
    'People cannot manage projects, keys, webhooks or tasks and get 500; calls and deliveries continue.',
  environment: z.object({
    TABLE_NAME,
    CALL_QUEUE_URL,
    DELIVERY_QUEUE_URL,
    ERASURE_QUEUE_URL,
    RECORDINGS_BUCKET,
    SECRETS_KEY_ID,
    PUBLIC_BASE_URL,
    MAIL_FROM,
    WEBHOOK_LOOPBACK,
    SANDBOX_CARRIER_BASE_URL,
    OIDC_ISSUER,
    OIDC_CLIENT_ID,
    OPERATOR_EMAILS,
    LIVE_CARRIER_SECRET_ID,
  }),
  trigger: { kind: 'rest', operations: adminOperations, resources: ['/admin/{proxy+}'] },
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
    'projectKeys.use',
    'projectKeys.create',
    'liveCarrierSecret.read',
  ],
} as const satisfies FunctionManifest;
