import { openCallQueue } from '#shared/calls/call-queue.ts';
import { carrierClients } from '#shared/carrier/carriers.ts';
import { keepRecording } from '#shared/recordings/keep-recording.ts';
import { RecordingMessage } from '#shared/recordings/recording-queue.ts';
import type { RecordingServices } from '#shared/recordings/recording-services.ts';
import { bucketRecordingStore } from '#shared/recordings/recording-store.ts';
import { openTable } from '#shared/table/client.ts';
import { environment } from '#shared/triggers/environment.ts';
import { queueWorker } from '#shared/triggers/queue.ts';
import { loadCallResult } from '#shared/voice-agent/result/call-result.ts';

const table = openTable(environment('TABLE_NAME'));
const services: RecordingServices = {
  table,
  queue: openCallQueue(environment('CALL_QUEUE_URL')),
  recordings: bucketRecordingStore(environment('RECORDINGS_BUCKET')),
  carrier: carrierClients(
    { sandbox: environment('SANDBOX_CARRIER_SECRET_ID'), live: environment('LIVE_CARRIER_SECRET_ID') },
    environment('SANDBOX_CARRIER_BASE_URL'),
  ),
  callResult: (callId) => loadCallResult(table, callId),
  now: () => new Date(),
};

/** Works through the recording queue: fetches recordings from the carrier and deletes them where they are not wanted. */
export const handler = queueWorker(RecordingMessage, (message) => keepRecording(services, message));
