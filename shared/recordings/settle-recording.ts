import { askCarrier } from '#shared/calls/ask-carrier.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { advanceCall, postponeCall } from '#shared/calls/lifecycle/advance-call.ts';
import { retryDueAt, secondsSince } from '#shared/calls/lifecycle/deadlines.ts';
import { wasCutOff } from '#shared/calls/lifecycle/reduce-call.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import type { CarrierRecording } from '#shared/carrier/carrier-responses.ts';
import type { Call } from '#shared/domain/call.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { longestRecording } from './longest-recording.ts';
import { noRecordingAfterSeconds, recordingGiveUpAfterSeconds } from './recording-deadlines.ts';
import { requestRecordingWork } from './schedule-recording.ts';

/**
 * Continues an ended call: looks for an unreported recording, or settles on none after too long. Returns the call as
 * written.
 */
export async function settleRecording(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
): Promise<Call | null> {
  const { status, carrier_recording_sid } = call.recording;
  // It waited only for the end of the conversation.
  if (status !== 'awaited') return completeOrPostpone(services, call);
  return carrier_recording_sid === null
    ? findMissingRecording(services, carrier, call)
    : postponeCall(services, call, afterRecording);
}

/** A recording being fetched has its own due time and completes its call, so an earlier check is pointless. */
function afterRecording(call: Call, now: Date): string {
  const retryAt = retryDueAt(call, now);
  const { due_at } = call.recording;
  return due_at !== null && due_at > retryAt ? due_at : retryAt;
}

/** No recording was reported. That is a normal end, once the carrier's list agrees. */
async function findMissingRecording(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
): Promise<Call | null> {
  annotateLog({ look: 'recording' });
  const carrierCallSid = call.carrier_call_sid;
  const recordings =
    carrierCallSid === null ? [] : await askCarrier(() => carrier?.listRecordings(carrierCallSid) ?? null);
  const ready = longestRecording(recordings ?? []);
  if (ready !== null) {
    const found = await advanceCall(services, call, { type: 'recording-found', recording_sid: ready.sid });
    if (found !== null) await requestRecordingWork(services, found);
    return found;
  }
  return giveUpRecording(services, call, patienceSeconds(call, recordings));
}

/** A reported recording is awaited longer than one that was never seen. */
function patienceSeconds(call: Call, recordings: CarrierRecording[] | null): number {
  if (recordings === null) return recordingGiveUpAfterSeconds;
  if (recordings.some(({ status }) => status === 'in-progress')) return recordingGiveUpAfterSeconds;
  if (recordings.some(({ status }) => status === 'absent')) return 0;
  return wasCutOff(call) ? 0 : noRecordingAfterSeconds;
}

async function giveUpRecording(
  services: CallServices,
  call: Call,
  afterSeconds: number,
): Promise<Call | null> {
  if (secondsSince(call.ended_at ?? call.created_at, services.now()) < afterSeconds) {
    return completeOrPostpone(services, call);
  }
  return advanceCall(services, call, {
    type: 'recording-missing',
    reason: 'No recording came from the carrier.',
  });
}

async function completeOrPostpone(services: CallServices, call: Call): Promise<Call | null> {
  const advanced = await advanceCall(services, call, null);
  return advanced === null || advanced.completed_at !== null
    ? advanced
    : postponeCall(services, call, retryDueAt);
}
