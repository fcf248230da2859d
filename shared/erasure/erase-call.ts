import { askCarrier, carrierOf } from '#shared/calls/ask-carrier.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import type { Call } from '#shared/domain/call.ts';
import { isFetchLeased } from '#shared/recordings/recording-deadlines.ts';
import { recordingKey } from '#shared/recordings/recording-store.ts';
import { deleteCall } from '#shared/table/call.ts';
import { deleteConversation } from '#shared/table/conversation.ts';
import { deleteConversationPlan } from '#shared/table/conversation-plan.ts';
import { callEvents } from '#shared/webhooks/events.ts';
import { eraseDeliveries } from './erase-deliveries.ts';
import type { Delay, ErasureServices } from './erasure-services.ts';

/** Words in flight when the call was completed are written within this time. */
const settlingMs = 60_000;

/**
 * Erases an ended call: the carrier's recordings and record, our recording with all versions, transcript, plan and
 * webhook deliveries; the call itself goes last, so that an interrupted erasure can resume. Returns what blocks it, or
 * null when nothing is left.
 */
export async function eraseCall(services: ErasureServices, call: Call): Promise<Delay | null> {
  const delay = unfinished(call, services.now());
  if (delay !== null) return delay;
  const { table, recordings } = services;
  if (!(await eraseAtCarrier(services, call))) {
    return {
      reason: 'The telephone carrier has not deleted its copies yet; it will be asked again.',
      until: null,
    };
  }
  const keys = new Set([recordingKey(call.project_id, call.id), call.recording.key]);
  for (const key of keys) if (key !== null) await recordings.erase(key);
  await deleteConversation(table, call.id);
  await deleteConversationPlan(table, call.id);
  await eraseDeliveries(table, call.project_id, callEvents(call));
  // A concurrent change may have started to fetch its recording.
  const isDeleted = await deleteCall(table, call);
  return isDeleted ? null : { reason: 'A call of the task is still being processed.', until: null };
}

function unfinished(call: Call, now: Date): Delay | null {
  if (call.completed_at === null) return { reason: 'A call of the task has not ended yet.', until: null };
  const { leased_until } = call.recording;
  if (isFetchLeased(call.recording, now)) {
    return { reason: 'The recording of a call is being fetched.', until: new Date(leased_until ?? now) };
  }
  const settled = new Date(Date.parse(call.completed_at) + settlingMs);
  return settled <= now ? null : { reason: 'A call of the task has just ended.', until: settled };
}

/** Deletes everything that the carrier has of the call; returns whether that succeeded. */
async function eraseAtCarrier(services: ErasureServices, call: Call): Promise<boolean> {
  const { carrier_call_sid: callSid } = call;
  if (callSid === null) return true;
  const isErased = await askCarrier(async () => {
    const carrier = await carrierOf(services, call);
    for (const sid of await recordingsOf(carrier, callSid, call)) await carrier.deleteRecording(sid);
    await carrier.deleteCall(callSid);
    return true;
  });
  return isErased !== null;
}

async function recordingsOf(carrier: CarrierClient, callSid: string, call: Call): Promise<Set<string>> {
  const known = call.recording.carrier_recording_sid;
  return new Set([...(known === null ? [] : [known]), ...(await listed(carrier, callSid))]);
}

/** None when the carrier no longer has the call itself. */
async function listed(carrier: CarrierClient, callSid: string): Promise<string[]> {
  try {
    return (await carrier.listRecordings(callSid)).map(({ sid }) => sid);
  } catch (error) {
    if (error instanceof CarrierError && error.kind === 'not-found') return [];
    throw error;
  }
}
