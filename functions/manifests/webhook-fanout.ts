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
    // Only the changes that mean an event, of the dozen that a call and its task have.
    filters: [
      firstTime('call', 'carrier_call_sid'),
      firstTime('call', 'completed_at'),
      firstTime('task', 'started_at'),
      {
        eventName: ['MODIFY'],
        dynamodb: {
          NewImage: { type: { S: ['task'] }, status: { S: ['COMPLETED', 'FAILED', 'CANCELLED'] } },
          OldImage: { status: { S: ['PENDING', 'IN_PROGRESS'] } },
        },
      },
      { eventName: ['INSERT'], dynamodb: { NewImage: { type: { S: ['task'] } } } },
    ],
    batchSize: 100,
    retryAttempts: 10,
    deadLettersMean:
      'Events of calls or tasks were skipped, so clients get no webhooks for them and usage does not count them.',
  },
  uses: ['table.write', 'deliveryQueue.send'],
} as const satisfies FunctionManifest;

/** The change by which an attribute of an item gets its first value. */
function firstTime(type: 'call' | 'task', attribute: string) {
  return {
    eventName: ['MODIFY'],
    dynamodb: {
      NewImage: { type: { S: [type] }, [attribute]: { S: [{ exists: true }] } },
      OldImage: { [attribute]: { S: [{ exists: false }] } },
    },
  };
}
