import { openTable } from '#shared/table/client.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { streamWorker } from '#shared/triggers/stream.ts';
import { recordUsage } from '#shared/usage/record-usage.ts';
import { openDeliveryQueue } from '#shared/webhooks/delivery-queue.ts';
import { newEvents } from '#shared/webhooks/events.ts';
import { fanOut, followTask } from '#shared/webhooks/fan-out.ts';
import { manifest } from './manifests/webhook-fanout.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const queue = openDeliveryQueue(env.DELIVERY_QUEUE_URL);

/** Turns changes of tasks and calls into usage records and webhook deliveries. */
export const handler = streamWorker(async ({ oldItem, newItem }) => {
  if (newItem === null) return;
  followTask(newItem);
  const now = new Date();
  await recordUsage(table, oldItem, newItem, now);
  if (oldItem !== null) await fanOut(table, queue, newEvents(oldItem, newItem), now);
});
