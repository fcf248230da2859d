import { askCarrier, carrierOf } from '#shared/calls/ask-carrier.ts';
import { advanceCall } from '#shared/calls/lifecycle/advance-call.ts';
import { changeCall } from '#shared/calls/lifecycle/change-call.ts';
import { secondsSince } from '#shared/calls/lifecycle/deadlines.ts';
import { isEnded } from '#shared/calls/lifecycle/reduce-call.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import type { Call } from '#shared/domain/call.ts';
import { dayMs } from '#shared/domain/time.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, logError } from '#shared/observability/log.ts';
import { getProject } from '#shared/table/project.ts';
import { recordingToRetain } from './longest-recording.ts';
import {
  leased,
  recordingAwaitedSince,
  recordingGiveUpAfterSeconds,
  triedInVain,
} from './recording-deadlines.ts';
import type { RecordingServices } from './recording-services.ts';
import { recordingKey } from './recording-store.ts';
import { recordingWork } from './recording-work.ts';
import { type WavFacts, WavInspector } from './wav-inspector.ts';

/**
 * Fetches the carrier's finished recording, stores it, and only then completes the call with it. Returns the call as
 * written: with its recording, without it after too many failures, or still waiting, with the time of the next
 * attempt.
 */
export async function storeRecording(services: RecordingServices, found: Call): Promise<Call | null> {
  // Keeps other workers from the same transfer. Nothing is stored for an erased call.
  const call = await changeCall(services, found, (read, now) =>
    recordingWork(read, now) === 'fetch' ? leased(read, now) : read,
  );
  if (call === null || recordingWork(call, services.now()) !== 'fetch') return call;
  const key = recordingKey(call.project_id, call.id);
  let recordingSid: string;
  let facts: WavFacts;
  try {
    const carrier = await carrierOf(services, call);
    recordingSid = await chooseRecording(carrier, call);
    facts = await transfer(services, carrier, recordingSid, key);
  } catch (error) {
    return retryLater(services, call, error);
  }
  annotateLog({ recording: 'stored', recording_bytes: facts.bytes, recording_channels: facts.channels });
  // The call has probably ended meanwhile, and is then completed with it.
  const known = isEnded(call) ? call : { id: call.id, task_id: call.task_id };
  return advanceCall(services, known, {
    type: 'recording-stored',
    recording_sid: recordingSid,
    key,
    bytes: facts.bytes,
    channels: facts.channels,
    duration_seconds: facts.durationSeconds,
    ...(facts.waveform === null ? {} : { waveform: facts.waveform }),
    kept_until: await retainedUntil(services, call),
  });
}

async function chooseRecording(carrier: CarrierClient, call: Call): Promise<string> {
  const { carrier_call_sid: carrierCallSid, recording } = call;
  if (recording.carrier_recording_sid === null) throw new CarrierError('not-found', 'fetch recording');
  const listed =
    carrierCallSid === null ? null : await askCarrier(() => carrier.listRecordings(carrierCallSid));
  return recordingToRetain(recording.carrier_recording_sid, listed ?? []);
}

/** Streams from the carrier into the store; memory does not grow with the call's length. */
async function transfer(
  services: Pick<RecordingServices, 'recordings'>,
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
    // Checked before the upload ends, so that an incomplete recording is never stored.
    facts = inspector.finish();
    if (media.contentLength !== null && media.contentLength !== facts.bytes) {
      throw new CarrierError('unknown', 'fetch recording');
    }
  }
  await services.recordings.put(key, inspected());
  if (facts === null) throw new Error('the recording was stored without having been read');
  return facts;
}

/** The end of the recording's retention, counted from the end of the call. */
async function retainedUntil(services: RecordingServices, call: Call): Promise<string | null> {
  const days = (await getProject(services.table, call.project_id))?.recording_retention_days ?? null;
  if (days === null) return null;
  const endedAtMs = call.ended_at === null ? services.now().getTime() : Date.parse(call.ended_at);
  return new Date(endedAtMs + days * dayMs).toISOString();
}

/**
 * Media may be missing for a while after the carrier has announced them, and any transfer can break. The next attempt
 * is a due time instead of a failed message, which would use up the queue's deliveries and come later.
 */
async function retryLater(services: RecordingServices, call: Call, error: unknown): Promise<Call | null> {
  const kind = error instanceof CarrierError ? error.kind : 'transfer-failed';
  annotateLog({ recording: kind });
  if (kind === 'configuration') logError(alarmingEvents.carrierRefusesOurConfiguration, error);
  else if (kind !== 'not-found') logError('recording-not-fetched', error, { recording: kind });
  const isOver =
    isEnded(call) && secondsSince(recordingAwaitedSince(call), services.now()) >= recordingGiveUpAfterSeconds;
  if (!isOver || call.recording.status !== 'awaited') {
    const { leased_until } = call.recording;
    // Another worker may have leased it since, or stored it.
    return changeCall(services, call, (read, now) =>
      read.recording.leased_until === leased_until ? triedInVain(read, now) : read,
    );
  }
  // The audio stays at the carrier, where it can still be fetched.
  logError(alarmingEvents.recordingGivenUp, error, { call_id: call.id });
  return advanceCall(services, call, {
    type: 'recording-given-up',
    reason: 'The recording could not be fetched from the carrier.',
  });
}
