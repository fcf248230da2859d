import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import type { Call } from '#shared/domain/call.ts';
import { annotateLog, logError } from '#shared/observability/log.ts';
import { advanceCall, postponeCall } from './advance-call.ts';
import type { CallServices } from './call-services.ts';
import { recordingGiveUpAfterSeconds, retryDueAt, secondsSince } from './deadlines.ts';
import { recordingKey } from './recording-store.ts';
import { isEnded } from './reduce-call.ts';
import { type WavFacts, WavInspector } from './wav-inspector.ts';

/**
 * Fetches a recording that the carrier has ready, keeps it, and only then completes the call with it. Returns the call as
 * it then stands: with its recording, without it when it could not be had for too long, or still waiting, with the time
 * of the next attempt.
 */
export async function storeRecording(
  services: CallServices,
  carrier: CarrierClient,
  call: Call,
  recordingSid: string,
): Promise<Call | null> {
  const key = recordingKey(call.project_id, call.id);
  let facts: WavFacts;
  try {
    facts = await transfer(services, carrier, recordingSid, key);
  } catch (error) {
    return retryLater(services, call, error);
  }
  annotateLog({ recording: 'stored', recording_bytes: facts.bytes, recording_channels: facts.channels });
  return advanceCall(services, call.task_id, call.id, {
    type: 'recording-stored',
    recording_sid: recordingSid,
    key,
    bytes: facts.bytes,
    channels: facts.channels,
    duration_seconds: facts.durationSeconds,
    kept_until: null,
  });
}

/**
 * Has the carrier forget a recording that we keep, as the last step of all, so that the audio is never without a keeper.
 * May be repeated; a message that is delivered again does so.
 */
export async function deleteAtCarrier(
  carrier: CarrierClient,
  call: Call,
  recordingSid: string,
): Promise<void> {
  if (call.recording.status === 'stored' && call.recording.carrier_recording_sid === recordingSid) {
    await carrier.deleteRecording(recordingSid);
  }
}

/** Streams from the carrier into the store; memory does not grow with the length of the call. */
async function transfer(
  services: CallServices,
  carrier: CarrierClient,
  recordingSid: string,
  key: string,
): Promise<WavFacts> {
  const media = await carrier.fetchRecordingMedia(recordingSid);
  const inspector = new WavInspector();
  let facts: WavFacts | null = null;
  async function* inspected(): AsyncGenerator<Uint8Array> {
    for await (const chunk of media.body) {
      inspector.push(chunk);
      yield chunk;
    }
    // Judged before the upload ends, so that a recording that is not whole is never stored.
    facts = inspector.finish();
    if (media.contentLength !== null && media.contentLength !== facts.bytes) {
      throw new CarrierError('unknown', 'fetch recording');
    }
  }
  await services.recordings.put(key, inspected());
  if (facts === null) throw new Error('the recording was stored without having been read');
  return facts;
}

/**
 * Media may be missing for a while after the carrier has announced them, and any transfer can break. The next attempt is
 * a due time instead of a failed message: it does not use up the queue's deliveries, and it comes sooner.
 */
async function retryLater(services: CallServices, call: Call, error: unknown): Promise<Call | null> {
  const kind = error instanceof CarrierError ? error.kind : 'transfer-failed';
  annotateLog({ recording: kind });
  if (kind !== 'not-found') logError('recording-not-fetched', error, { recording: kind });
  const isOver =
    isEnded(call) &&
    secondsSince(call.ended_at ?? call.created_at, services.now()) >= recordingGiveUpAfterSeconds;
  if (!isOver) return postponeCall(services, call.task_id, call.id, retryDueAt);
  // The audio stays at the carrier, where a person can still get it.
  logError('recording-given-up', error, { call_id: call.id });
  return advanceCall(services, call.task_id, call.id, {
    type: 'recording-given-up',
    reason: 'The recording could not be fetched from the carrier.',
  });
}
