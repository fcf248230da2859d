import { askCarrier, carrierOf } from '#shared/calls/ask-carrier.ts';
import { advanceCall } from '#shared/calls/lifecycle/advance-call.ts';
import { changeCall } from '#shared/calls/lifecycle/change-call.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import type { Call } from '#shared/domain/call.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { log } from '#shared/observability/log.ts';
import { triedInVain } from './recording-deadlines.ts';
import type { RecordingServices } from './recording-services.ts';

/** The carrier counts whole seconds; we count bytes. */
const durationToleranceSeconds = 1;

/**
 * Deletes a recording at the carrier once we have stored it, as the very last step, so that the audio is never lost. A
 * failure is due again later. Returns the call as written.
 */
export async function deleteAtCarrier(services: RecordingServices, call: Call): Promise<Call | null> {
  const isDeleted = await askCarrier(async () => {
    const carrier = await carrierOf(services, call);
    for (const recordingSid of await deletableAtCarrier(carrier, call)) {
      await carrier.deleteRecording(recordingSid);
    }
    return true;
  });
  return isDeleted === null
    ? changeCall(services, call, triedInVain)
    : advanceCall(services, call, { type: 'recording-forgotten' });
}

/** Ours, and others of the same call that ours contains completely. A longer one is left for a person to judge. */
async function deletableAtCarrier(carrier: CarrierClient, call: Call): Promise<Set<string>> {
  const { carrier_call_sid: carrierCallSid, recording } = call;
  const listed = carrierCallSid === null ? [] : await carrier.listRecordings(carrierCallSid);
  const keptSeconds = recording.duration_seconds ?? Number.POSITIVE_INFINITY;
  const others = listed.filter(
    ({ sid, status }) => sid !== recording.carrier_recording_sid && status === 'completed',
  );
  const covered = others.filter(
    ({ durationSeconds }) =>
      durationSeconds !== null && durationSeconds <= keptSeconds + durationToleranceSeconds,
  );
  if (covered.length < others.length) {
    const left = others.length - covered.length;
    log(alarmingEvents.recordingLeftAtCarrier, { call_id: call.id, recordings: left });
  }
  const ours = recording.carrier_recording_sid === null ? [] : [recording.carrier_recording_sid];
  return new Set([...ours, ...covered.map(({ sid }) => sid)]);
}
