import { openQueue } from '#shared/aws/message-queue.ts';
import { carrierClients } from '#shared/carrier/carriers.ts';
import { openProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { ErasureMessage } from '#shared/erasure/erasure-queue.ts';
import type { ErasureServices } from '#shared/erasure/erasure-services.ts';
import { handleErasureMessage } from '#shared/erasure/handle-erasure-message.ts';
import { bucketRecordingStore } from '#shared/recordings/recording-store.ts';
import { openTable } from '#shared/table/client.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { queueWorker } from '#shared/triggers/queue.ts';
import { manifest } from './manifests/data-eraser.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const services: ErasureServices = {
  table,
  queue: openQueue(env.CALL_QUEUE_URL),
  erasureQueue: openQueue(env.ERASURE_QUEUE_URL),
  keys: openProjectKeyMaker(env.TABLE_NAME),
  recordings: bucketRecordingStore(env.RECORDINGS_BUCKET, table.projectKey),
  carrier: carrierClients(
    { sandbox: env.SANDBOX_CARRIER_SECRET_ID, live: env.LIVE_CARRIER_SECRET_ID },
    env.SANDBOX_CARRIER_BASE_URL,
  ),
  now: () => new Date(),
};

/** Erases and exports on request, and erases data whose retention period has ended. */
export const handler = queueWorker(ErasureMessage, (message) => handleErasureMessage(services, message));
