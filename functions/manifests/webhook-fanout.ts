import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { DELIVERY_QUEUE_URL, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'webhook-fanout',
  description: 'Turns finished calls and tasks into webhook deliveries',
  memoryMb: 512,
  timeoutSeconds: 30,
  failureMeans: 'Clients are told late that calls and tasks are completed.',
  environment: z.object({ TABLE_NAME, DELIVERY_QUEUE_URL }),
  trigger: {
    kind: 'stream',
    // Only the changes by which something is over, of the dozen that a call and its task have.
    filters: [
      {
        eventName: ['MODIFY'],
        dynamodb: {
          NewImage: { type: { S: ['call'] }, completed_at: { S: [{ exists: true }] } },
          OldImage: { completed_at: { S: [{ exists: false }] } },
        },
      },
      {
        eventName: ['MODIFY'],
        dynamodb: {
          NewImage: { type: { S: ['task'] }, status: { S: ['COMPLETED', 'FAILED', 'CANCELLED'] } },
          OldImage: { status: { S: ['PENDING', 'IN_PROGRESS'] } },
        },
      },
    ],
    batchSize: 100,
    retryAttempts: 10,
    deadLettersMean: 'Completed calls or tasks were skipped, so clients get no webhook for them.',
  },
  uses: ['table.write', 'deliveryQueue.send'],
} as const satisfies FunctionManifest;
