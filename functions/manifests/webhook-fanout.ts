import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { DELIVERY_QUEUE_URL, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'webhook-fanout',
  description:
    'Turns changes of calls and tasks into webhook deliveries and usage records, and updates the search index',
  memoryMb: 512,
  timeoutSeconds: 30,
  failureMeans: 'Webhooks, usage records and search results lag behind.',
  environment: z.object({ TABLE_NAME, DELIVERY_QUEUE_URL }),
  trigger: {
    kind: 'stream',
    // Only the changes that are events, out of a dozen per call and task.
    filters: [
      firstTime('call', 'carrier_call_sid'),
      firstTime('call', 'completed_at'),
      firstTime('task', 'started_at'),
      {
        eventName: ['MODIFY'],
        dynamodb: {
          NewImage: { type: { S: ['task'] }, status: { S: ['COMPLETED', 'FAILED', 'CANCELLED'] } },
          // Also the end of the call during which a task was canceled, whose result comes later.
          $or: [
            { OldImage: { status: { S: ['PENDING', 'IN_PROGRESS'] } } },
            { OldImage: { current_call_id: { S: [{ exists: true }] } } },
          ],
        },
      },
      // Lambda takes at most five patterns.
      {
        $or: [
          { eventName: ['INSERT', 'REMOVE'], dynamodb: { Keys: { sk: { S: ['TASK'] } } } },
          { dynamodb: { Keys: { sk: { S: ['PATIENT'] } } } },
        ],
      },
    ],
    batchSize: 100,
    retryAttempts: 10,
    deadLettersMean: 'Changes were skipped: they cause no webhooks and are missing from usage and search.',
  },
  uses: ['table.write', 'table.index', 'deliveryQueue.send', 'projectKeys.use'],
} as const satisfies FunctionManifest;

/** Matches the change that gives an attribute its first value. */
function firstTime(type: 'call' | 'task', attribute: string) {
  return {
    eventName: ['MODIFY'],
    dynamodb: {
      NewImage: { type: { S: [type] }, [attribute]: { S: [{ exists: true }] } },
      OldImage: { [attribute]: { S: [{ exists: false }] } },
    },
  };
}
