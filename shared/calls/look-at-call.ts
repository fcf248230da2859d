import type { CarrierCall, CarrierClient, CarrierRecording } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import type { Call } from '#shared/domain/call.ts';
import { annotateLog, logError } from '#shared/observability/log.ts';
import { getCall } from '#shared/table/call.ts';
import { getProject } from '#shared/table/project.ts';
import { getTaskWithCalls } from '#shared/table/task.ts';
import { advanceCall, postponeCall } from './advance-call.ts';
import type { CallServices } from './call-services.ts';
import {
  abandonAfterSeconds,
  callDeadline,
  fetchDueAt,
  noRecordingAfterSeconds,
  recordingGiveUpAfterSeconds,
  retryDueAt,
  secondsSince,
} from './deadlines.ts';
import { lookAgainSoon } from './look-again.ts';
import { isEnded } from './reduce-call.ts';
import { deleteAtCarrier, storeRecording } from './store-recording.ts';

/** A message may arrive a little before the time that it was sent for. */
const earlyToleranceMs = 2_000;
/** Our clock and the carrier's may differ by this when calls are told apart by their age. */
const carrierClockToleranceMs = 60_000;

/**
 * Looks at a call that waited in vain for something. The carrier is asked first; what it says is applied like a report.
 * When a limit has passed, the call goes on without what it waited for, so no call stays open for ever.
 */
export async function lookAtCall(services: CallServices, taskId: string, callId: string): Promise<void> {
  const call = await getCall(services.table, taskId, callId);
  if (call === null) return;
  annotateLog({ project_id: call.project_id });
  const carrier = await services.carrier(call.carrier);
  if (call.completed_at === null) {
    if (Date.parse(call.due_at ?? '') > services.now().getTime() + earlyToleranceMs) {
      annotateLog({ look: 'not-due' });
      return;
    }
    const next = await goOn(services, carrier, call);
    await lookAgainSoon(services, next);
  }
  await forgetRecording(services, carrier, taskId, callId);
}

/** One step; the next one, if there is one, follows from the due time that this one leaves. */
async function goOn(services: CallServices, carrier: CarrierClient | null, call: Call): Promise<Call | null> {
  const current = isEnded(call) ? call : await findOutHowItStands(services, carrier, call);
  if (current === null || current.completed_at !== null || !isEnded(current)) return current;
  return goOnAfterEnd(services, carrier, current);
}

function findOutHowItStands(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
): Promise<Call | null> {
  return call.carrier_call_sid === null
    ? reconcileSubmission(services, carrier, call)
    : askHowItStands(services, carrier, call, call.carrier_call_sid);
}

/**
 * Nobody knows whether the carrier took the call. Its list of calls tells, after a while: a call that is there is ours to
 * follow; one that is not there for long enough was never placed. The number is not dialled to find out.
 */
async function reconcileSubmission(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
): Promise<Call | null> {
  annotateLog({ look: 'reconcile' });
  await advanceCall(services, call.task_id, call.id, { type: 'submission-lost' });
  const candidates = await ask(() => (carrier === null ? null : findCandidates(services, carrier, call)));
  const [candidate, ...others] = candidates ?? [];
  // Of several calls between the same numbers we cannot tell which one is ours; our own callback will.
  if (candidate !== undefined && others.length === 0) {
    annotateLog({ look: 'adopted' });
    await advanceCall(services, call.task_id, call.id, { type: 'adopted', carrier_call_sid: candidate.sid });
    return applyPoll(services, call, candidate);
  }
  const isSurelyAbsent =
    candidates?.length === 0 && secondsSince(call.created_at, services.now()) >= abandonAfterSeconds;
  if (isSurelyAbsent || isPastDeadline(services, call)) {
    annotateLog({ look: 'abandoned' });
    return advanceCall(services, call.task_id, call.id, { type: 'abandoned' });
  }
  return postponeCall(services, call.task_id, call.id, retryDueAt);
}

/** Calls at the carrier that could be this one: between the same numbers, not older than it, and no earlier attempt. */
async function findCandidates(
  services: CallServices,
  carrier: CarrierClient,
  call: Call,
): Promise<CarrierCall[]> {
  const [project, attempts] = await Promise.all([
    getProject(services.table, call.project_id),
    getTaskWithCalls(services.table, call.task_id, { limit: call.attempt }),
  ]);
  if (project === null) return [];
  const sinceMs = Date.parse(call.created_at) - carrierClockToleranceMs;
  const listed = await carrier.listCalls({
    to: call.phone_number,
    from: project.caller_number,
    since: new Date(sinceMs),
  });
  const knownSids = new Set(attempts?.calls.map(({ carrier_call_sid }) => carrier_call_sid));
  return listed.filter(
    ({ sid, createdAtMs }) => !knownSids.has(sid) && (createdAtMs === null || createdAtMs >= sinceMs),
  );
}

/** The carrier has not reported for too long. */
async function askHowItStands(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
  carrierCallSid: string,
): Promise<Call | null> {
  annotateLog({ look: 'poll' });
  const answer = await ask(() => carrier?.getCall(carrierCallSid) ?? null);
  const polled = answer === null ? call : await applyPoll(services, call, answer);
  if (polled === null || isEnded(polled)) return polled;
  if (!isPastDeadline(services, call)) {
    return postponeCall(services, call.task_id, call.id, retryDueAt);
  }
  annotateLog({ look: 'closed-at-deadline' });
  // It may really still be going on; a call that nobody follows must not.
  await ask(() => carrier?.endCall(carrierCallSid) ?? null);
  return advanceCall(services, call.task_id, call.id, { type: 'given-up' });
}

function applyPoll(services: CallServices, call: Call, answer: CarrierCall): Promise<Call | null> {
  return advanceCall(services, call.task_id, call.id, {
    type: 'polled',
    progress: answer.progress,
    talk_seconds: answer.talkSeconds,
  });
}

async function goOnAfterEnd(
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
    carrierCallSid === null ? [] : await ask(() => carrier?.listRecordings(carrierCallSid) ?? null);
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

/** Also after a look that stored the recording and was cut off before it could do this. */
async function forgetRecording(
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

function isPastDeadline(services: CallServices, call: Call): boolean {
  return services.now().getTime() >= callDeadline(call);
}

/** An answer of the carrier, or null when it has none: then only our own limits count. */
async function ask<Answer>(request: () => Promise<Answer> | null): Promise<Answer | null> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    annotateLog({ carrier_answer: error.kind });
    if (error.kind === 'configuration') logError('carrier-refuses-our-configuration', error);
    return null;
  }
}
