import type { CarrierClient, CarrierRecording } from '#shared/carrier/carrier-client.ts';
import type { Call } from '#shared/domain/call.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { getCall } from '#shared/table/call.ts';
import { advanceCall, postponeCall } from './advance-call.ts';
import { askCarrier } from './ask-carrier.ts';
import type { CallServices } from './call-services.ts';
import {
  fetchDueAt,
  noRecordingAfterSeconds,
  recordingGiveUpAfterSeconds,
  retryDueAt,
  secondsSince,
} from './deadlines.ts';
import { deleteAtCarrier, storeRecording } from './store-recording.ts';

/**
 * What is still to be done for a call that has ended: fetch its recording, ask for one that nobody reported, or settle for
 * none when it does not come for too long. Returns the call as it then stands.
 */
export async function settleRecording(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
): Promise<Call | null> {
  const { status, carrier_recording_sid } = call.recording;
  // Only the end of the conversation was waited for.
  if (status !== 'awaited') return completeOrPostpone(services, call);
  if (carrier_recording_sid === null) return lookForRecording(services, carrier, call);
  if (carrier === null) {
    return loseRecording(services, call, 'recording-given-up', recordingGiveUpAfterSeconds);
  }
  // Until then no other look begins the same transfer.
  await postponeCall(services, call.task_id, call.id, fetchDueAt);
  return storeRecording(services, carrier, call, carrier_recording_sid);
}

/** No report of a recording came. That is a normal end, once the carrier's list says the same. */
async function lookForRecording(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
): Promise<Call | null> {
  annotateLog({ look: 'recording' });
  const carrierCallSid = call.carrier_call_sid;
  const recordings =
    carrierCallSid === null ? [] : await askCarrier(() => carrier?.listRecordings(carrierCallSid) ?? null);
  const ready = recordings?.find(({ status }) => status === 'completed');
  if (ready !== undefined && carrier !== null) {
    const event = { type: 'recording-found', recording_sid: ready.sid } as const;
    const found = await advanceCall(services, call.task_id, call.id, event, fetchDueAt);
    return found === null ? null : storeRecording(services, carrier, found, ready.sid);
  }
  return loseRecording(services, call, 'recording-missing', patienceSeconds(recordings));
}

/** What is on its way is waited for longer than what nobody has seen. */
function patienceSeconds(recordings: CarrierRecording[] | null): number {
  if (recordings === null) return recordingGiveUpAfterSeconds;
  if (recordings.some(({ status }) => status === 'in-progress')) return recordingGiveUpAfterSeconds;
  return recordings.some(({ status }) => status === 'absent') ? 0 : noRecordingAfterSeconds;
}

async function loseRecording(
  services: CallServices,
  call: Call,
  type: 'recording-missing' | 'recording-given-up',
  afterSeconds: number,
): Promise<Call | null> {
  if (secondsSince(call.ended_at ?? call.created_at, services.now()) < afterSeconds) {
    return completeOrPostpone(services, call);
  }
  return advanceCall(services, call.task_id, call.id, {
    type,
    reason: 'No recording came from the carrier.',
  });
}

async function completeOrPostpone(services: CallServices, call: Call): Promise<Call | null> {
  const advanced = await advanceCall(services, call.task_id, call.id, null);
  return advanced === null || advanced.completed_at !== null
    ? advanced
    : postponeCall(services, call.task_id, call.id, retryDueAt);
}

/** Has the carrier forget the recording of a call that we keep; also after a look that stored the recording and was cut off before it could do this. */
export async function forgetRecording(
  services: CallServices,
  carrier: CarrierClient | null,
  taskId: string,
  callId: string,
): Promise<void> {
  const call = await getCall(services.table, taskId, callId);
  const recordingSid = call?.recording.carrier_recording_sid ?? null;
  if (carrier !== null && call !== null && recordingSid !== null) {
    await deleteAtCarrier(carrier, call, recordingSid);
  }
}
