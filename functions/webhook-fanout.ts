import { openQueue } from '#shared/aws/message-queue.ts';
import { openTable } from '#shared/table/client.ts';
import { openImage } from '#shared/table/sealing-client.ts';
import { changeSearchTerms } from '#shared/table/search-term.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { streamWorker } from '#shared/triggers/stream.ts';
import { recordUsage } from '#shared/usage/record-usage.ts';
import { newEvents } from '#shared/webhooks/events.ts';
import { fanOut, followTask } from '#shared/webhooks/fan-out.ts';
import { manifest } from './manifests/webhook-fanout.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const queue = openQueue(env.DELIVERY_QUEUE_URL);

/** Turns changes of tasks, calls and patients into usage records, webhook deliveries and search terms. */
export const handler = streamWorker(async (record) => {
  const now = new Date();
  const oldItem = await openImage(record.oldItem, table.projectKey);
  const newItem = await openImage(record.newItem, table.projectKey);
  if (newItem !== null) {
    followTask(newItem);
    await recordUsage(table, oldItem, newItem, now);
    if (oldItem !== null) await fanOut(table, queue, newEvents(oldItem, newItem), now);
  }
  await changeSearchTerms(table, oldItem, newItem);
});
