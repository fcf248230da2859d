import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  DELIVERY_QUEUE_URL,
  MAIL_FROM,
  PUBLIC_BASE_URL,
  SECRETS_KEY_ID,
  TABLE_NAME,
  WEBHOOK_LOOPBACK,
} from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'webhook-delivery',
  description: 'Sends one webhook to one endpoint, or one email to one person',
  memoryMb: 512,
  timeoutSeconds: 20,
  failureMeans: 'Webhooks and emails are delayed by an internal fault until the queue retries.',
  environment: z.object({
    TABLE_NAME,
    DELIVERY_QUEUE_URL,
    SECRETS_KEY_ID,
    PUBLIC_BASE_URL,
    MAIL_FROM,
    WEBHOOK_LOOPBACK,
  }),
  trigger: {
    kind: 'queue',
    queue: 'deliveryQueue',
    batchSize: 1,
    maxReceives: 10,
    maxConcurrency: 50,
    deadLettersMean: 'Webhook deliveries about calls or tasks were given up. Emails are sent later.',
  },
  uses: ['table.write', 'deliveryQueue.send', 'secretsKey.decrypt', 'projectKeys.use', 'mail.send'],
  allowsRecursion: true,
  // All that the queue hands out at once: they wait for receivers, and none may wait for another's.
  requestsPerWorker: 50,
} as const satisfies FunctionManifest;
