import { openQueue } from '#shared/aws/message-queue.ts';
import { carrierClients } from '#shared/carrier/carriers.ts';
import { ingestRecording } from '#shared/recordings/ingest-recording.ts';
import { RecordingMessage } from '#shared/recordings/recording-queue.ts';
import type { RecordingServices } from '#shared/recordings/recording-services.ts';
import { bucketRecordingStore } from '#shared/recordings/recording-store.ts';
import { openTable } from '#shared/table/client.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { queueWorker } from '#shared/triggers/queue.ts';
import { lateCallResults } from '#shared/voice-agent/result/late-call-results.ts';
import { manifest } from './manifests/recording-ingest.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const services: RecordingServices = {
  table,
  queue: openQueue(env.CALL_QUEUE_URL),
  recordingQueue: openQueue(env.RECORDING_QUEUE_URL),
  recordings: bucketRecordingStore(env.RECORDINGS_BUCKET, table.projectKey),
  carrier: carrierClients(
    { sandbox: env.SANDBOX_CARRIER_SECRET_ID, live: env.LIVE_CARRIER_SECRET_ID },
    env.SANDBOX_CARRIER_BASE_URL,
  ),
  callResult: lateCallResults(table),
  now: () => new Date(),
};

/** Works through the recording queue: fetches recordings from the carrier, and deletes unwanted ones there. */
export const handler = queueWorker(RecordingMessage, (message) => ingestRecording(services, message));
