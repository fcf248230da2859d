import { SQSClient } from '@aws-sdk/client-sqs';
import { clientLimits } from '#shared/aws/client-limits.ts';
import { announceMissed } from '#shared/sweeping/announce-missed.ts';
import { sweepDue } from '#shared/sweeping/sweep-due.ts';
import { openTable } from '#shared/table/client.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { scheduledJob } from '#shared/triggers/schedule.ts';
import { manifest } from './manifests/call-sweeper.ts';

const env = readEnvironment(manifest.environment);
const client = new SQSClient(clientLimits());
const services = {
  table: openTable(env.TABLE_NAME),
  callQueue: { url: env.CALL_QUEUE_URL, client },
  erasureQueue: { url: env.ERASURE_QUEUE_URL, client },
  recordingQueue: { url: env.RECORDING_QUEUE_URL, client },
  deliveryQueue: { url: env.DELIVERY_QUEUE_URL, client },
  watchQueue: { url: env.WATCH_QUEUE_URL, client },
};

/**
 * Sends due tasks, calls, recordings, conversations and webhook deliveries to their workers, then publishes task and
 * call endings that the stream missed.
 */
export const handler = scheduledJob(async ({ at }) => {
  try {
    await sweepDue(services, at);
  } finally {
    await announceMissed(services, at);
  }
});
