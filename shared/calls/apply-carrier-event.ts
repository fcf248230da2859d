import type { Call } from '#shared/domain/call.ts';
import type { CarrierEvent } from '#shared/domain/carrier-event.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { advanceCall } from './advance-call.ts';
import type { CallServices } from './call-services.ts';
import { fetchDueAt, nextDueAt } from './deadlines.ts';
import { lookAgainSoon } from './look-again.ts';
import { deleteAtCarrier, storeRecording } from './store-recording.ts';

/** Applies what the carrier reported about a call. May be repeated at any time and in any order. */
export async function applyCarrierEvent(
  services: CallServices,
  taskId: string,
  callId: string,
  event: CarrierEvent,
): Promise<void> {
  const isRecordingReady = event.type === 'recording' && event.status === 'completed';
  // We fetch it right away, so until then nobody else has to.
  const dueAt = isRecordingReady ? fetchDueAt : nextDueAt;
  const call = await advanceCall(services, taskId, callId, event, dueAt);
  if (call === null) {
    annotateLog({ carrier_event: 'unknown-call' });
    return;
  }
  annotateLog({ carrier_event: event.type, project_id: call.project_id });
  if (call.carrier_call_sid !== event.carrier_call_sid) {
    annotateLog({ carrier_event: 'other-call-at-carrier' });
    return;
  }
  const next = isRecordingReady ? await keepRecording(services, call, event.recording_sid) : call;
  await lookAgainSoon(services, next);
}

/** Fetches the recording unless we have it, and has the carrier forget it once we do. */
async function keepRecording(services: CallServices, call: Call, recordingSid: string): Promise<Call | null> {
  const carrier = await services.carrier(call.carrier);
  // Without access the recording stays where it is; the call's due time brings us back to it.
  if (carrier === null) return call;
  // A call that was completed without its recording takes it all the same when it turns up after all.
  const isLate = call.completed_at !== null && call.recording.status === 'none';
  const next =
    isLate || call.recording.status === 'awaited'
      ? await storeRecording(services, carrier, call, recordingSid)
      : call;
  if (next?.recording.status === 'stored') {
    await deleteAtCarrier(carrier, next, recordingSid);
  } else if (isLate) {
    // A completed call has no due time any more, so here it is the queue that tries again.
    throw new Error('a late recording could not be stored');
  }
  return next;
}
