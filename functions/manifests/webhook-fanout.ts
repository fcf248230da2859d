import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { DELIVERY_QUEUE_URL, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'webhook-fanout',
  description: 'Turns changes of calls and tasks into webhook deliveries and usage records',
  memoryMb: 512,
  timeoutSeconds: 30,
  failureMeans: 'Clients get events of their calls and tasks late, and usage is shown late.',
  environment: z.object({ TABLE_NAME, DELIVERY_QUEUE_URL }),
  trigger: {
    kind: 'stream',
    filters: [
      { eventName: ['MODIFY'], dynamodb: { NewImage: { type: { S: ['task', 'call'] } } } },
      { eventName: ['INSERT'], dynamodb: { NewImage: { type: { S: ['task'] } } } },
    ],
    batchSize: 100,
    retryAttempts: 10,
    deadLettersMean:
      'Events of calls or tasks were skipped, so clients get no webhooks for them and usage does not count them.',
  },
  uses: ['table.write', 'deliveryQueue.send'],
} as const satisfies FunctionManifest;
