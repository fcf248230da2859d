import { askCarrier } from '#shared/calls/ask-carrier.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { advanceCall, postponeCall } from '#shared/calls/lifecycle/advance-call.ts';
import {
  abandonAfterSeconds,
  callDeadline,
  endAgainAt,
  isEndWanted,
  lastEndingTry,
  nextDueAt,
  retryDueAt,
  secondsSince,
  submissionLostAfterSeconds,
} from '#shared/calls/lifecycle/deadlines.ts';
import { loadRedialRules } from '#shared/calls/lifecycle/redial-rules.ts';
import { isEnded } from '#shared/calls/lifecycle/reduce-call.ts';
import { scheduleReconcile } from '#shared/calls/schedule-reconcile.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import type { CarrierCall } from '#shared/carrier/carrier-responses.ts';
import type { Call } from '#shared/domain/call.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, log } from '#shared/observability/log.ts';
import { enqueueRecording } from '#shared/recordings/recording-queue.ts';
import { settleRecording } from '#shared/recordings/settle-recording.ts';
import { getCall } from '#shared/table/call.ts';
import { getLine, listPastCalls } from '#shared/table/line.ts';
import { getProject } from '#shared/table/project.ts';
import { getTask, getTaskWithCalls } from '#shared/table/task.ts';

/** A message may arrive slightly before its due time. */
const earlyToleranceMs = 2_000;
/** Allowed clock skew between us and the carrier when calls are matched by age. */
const carrierClockToleranceMs = 60_000;

/**
 * Reconciles an overdue call, or one whose task was canceled, with the carrier, whose state is applied like a report.
 * Ends a call that is no longer wanted, or still queued outside its hours, with retries until it has ended. Past its
 * limit the call continues without what it waited for, so every call ends.
 */
export async function reconcileCall(services: CallServices, taskId: string, callId: string): Promise<void> {
  const call = await getCall(services.table, taskId, callId);
  if (call === null) return;
  annotateLog({ project_id: call.project_id });
  // Earlier versions stored the due time of a recording as that of its completed call.
  const { version, due_at } = call.recording;
  if (call.completed_at !== null && version === 0 && due_at !== null) {
    await enqueueRecording(services.recordingQueue, { task_id: taskId, call_id: callId }, call.project_id);
  }
  if (call.due_at === null || Date.parse(call.due_at) > services.now().getTime() + earlyToleranceMs) {
    annotateLog({ reconcile: 'not-due' });
    return;
  }
  await scheduleReconcile(
    services,
    await reconcileStep(services, await services.carrier(call.carrier), call),
  );
}

/** One step; the due time it leaves schedules the next, if any. */
async function reconcileStep(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
): Promise<Call | null> {
  const current = isEnded(call) ? call : await updateFromCarrier(services, carrier, call);
  if (current === null || current.completed_at !== null || !isEnded(current)) return current;
  return settleRecording(services, carrier, current);
}

function updateFromCarrier(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
): Promise<Call | null> {
  return call.carrier_call_sid === null
    ? reconcileSubmission(services, carrier, call)
    : pollCarrier(services, carrier, call, call.carrier_call_sid);
}

/**
 * The carrier's response to the dial was lost. Its list of calls decides: a listed call is adopted; one still missing
 * after a while was never placed. Never dials the number to find out.
 */
async function reconcileSubmission(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
): Promise<Call | null> {
  annotateLog({ reconcile: 'submission' });
  await advanceCall(services, call, { type: 'submission-lost' });
  const found = await askCarrier(() => (carrier === null ? null : findCandidates(services, carrier, call)));
  const { candidates, hasRival } = found ?? { candidates: [], hasRival: false };
  const [candidate, ...others] = candidates;
  // Of several calls between the same numbers we cannot tell which is ours; our own callback will.
  if (candidate !== undefined && others.length === 0 && !hasRival) {
    annotateLog({ reconcile: 'adopted' });
    await advanceCall(services, call, { type: 'adopted', carrier_call_sid: candidate.sid });
    return applyPoll(services, call, candidate);
  }
  const isSurelyAbsent =
    found !== null &&
    candidates.length === 0 &&
    secondsSince(call.created_at, services.now()) >= abandonAfterSeconds;
  if (isSurelyAbsent || isPastDeadline(services, call)) {
    annotateLog({ reconcile: 'abandoned' });
    // A call that the carrier still queues must not ring once the task is dialed again.
    const queued = candidates.filter(({ progress }) => progress === 'queued');
    await Promise.all(queued.map(({ sid }) => endAtCarrier(carrier, sid)));
    return advanceCall(services, call, { type: 'abandoned' });
  }
  return postponeCall(services, call, retryDueAt);
}

interface Candidates {
  /**
   * Calls at the carrier between the same numbers, placed while this one was, that belong to no other call of ours.
   */
  readonly candidates: readonly CarrierCall[];
  /** Another of our calls on the line has no carrier ID yet either, and a candidate may be that one. */
  readonly hasRival: boolean;
}

async function findCandidates(
  services: CallServices,
  carrier: CarrierClient,
  call: Call,
): Promise<Candidates> {
  const project = await getProject(services.table, call.project_id);
  if (project === null) return { candidates: [], hasRival: false };
  const sinceMs = Date.parse(call.created_at) - carrierClockToleranceMs;
  const listed = await carrier.listCalls({
    to: call.phone_number,
    from: project.caller_number,
    since: new Date(sinceMs),
  });
  // Read after the carrier's list: a listed call that is not ours has taken the line by now, or has ended.
  const onLine = await otherCallsOnLine(services, call);
  const [attempts, pastSids] = await Promise.all([
    getTaskWithCalls(services.table, call.task_id, { limit: call.attempt }),
    listPastCalls(services.table, call),
  ]);
  const ours = [...(attempts?.calls ?? []), ...onLine].map(({ carrier_call_sid }) => carrier_call_sid);
  const knownSids = new Set([...ours, ...pastSids]);
  const candidates = listed.filter((listedCall) => !knownSids.has(listedCall.sid) && mayBe(call, listedCall));
  const rivals = onLine.filter(({ carrier_call_sid }) => carrier_call_sid === null);
  return { candidates, hasRival: rivals.some((rival) => candidates.some((one) => mayBe(rival, one))) };
}

/** A call is placed after its claim, and before the claiming function has timed out. */
function mayBe({ created_at }: Call, { createdAtMs }: CarrierCall): boolean {
  if (createdAtMs === null) return true;
  const placedAfterMs = createdAtMs - Date.parse(created_at);
  const lastMs = submissionLostAfterSeconds * 1_000 + carrierClockToleranceMs;
  return placedAfterMs >= -carrierClockToleranceMs && placedAfterMs <= lastMs;
}

/** A shared line has calls of other tasks at the same time. */
async function otherCallsOnLine({ table }: CallServices, call: Call): Promise<Call[]> {
  const { calls } = await getLine(table, call);
  const others = [...calls.values()].filter(({ call_id }) => call_id !== call.id);
  const found = await Promise.all(others.map(({ task_id, call_id }) => getCall(table, task_id, call_id)));
  return found.filter((other) => other !== null);
}

/** The carrier has not reported for too long. */
async function pollCarrier(
  services: CallServices,
  carrier: CarrierClient | null,
  call: Call,
  carrierCallSid: string,
): Promise<Call | null> {
  annotateLog({ reconcile: 'poll' });
  const answer = await askCarrier(() => carrier?.getCall(carrierCallSid) ?? null);
  const polled = answer === null ? call : await applyPoll(services, call, answer);
  if (polled === null || isEnded(polled)) return polled;
  if (!isPastDeadline(services, call)) {
    const isUnwanted = isEndWanted(polled) || (await isQueuedPastHours(services, polled));
    if (isUnwanted) await endAtCarrier(carrier, carrierCallSid);
    return postponeCall(services, call, dueAfterPoll(polled));
  }
  // It may still be in progress. End it before abandoning it, so that its number is not called meanwhile.
  const isDown = await endAtCarrier(carrier, carrierCallSid);
  if (!isDown && services.now().getTime() < lastEndingTry(call)) {
    return postponeCall(services, call, endAgainAt);
  }
  annotateLog({ reconcile: 'closed-at-deadline' });
  log(alarmingEvents.callClosedAtDeadline, { call_id: call.id });
  return advanceCall(services, call, { type: 'given-up' });
}

/** Whether the carrier has not dialed the call yet although its number must no longer be called. */
async function isQueuedPastHours(services: CallServices, call: Call): Promise<boolean> {
  if (call.carrier_progress !== 'queued') return false;
  const task = await getTask(services.table, call.task_id);
  if (task === null) return false;
  const { nextOpening } = await loadRedialRules(services.table, task);
  return nextOpening(services.now())?.reason !== null;
}

/**
 * Ends the call at the carrier in any state. The carrier's report follows, or the next check finds the call ended.
 * False if the carrier did not confirm.
 */
async function endAtCarrier(carrier: CarrierClient | null, carrierCallSid: string): Promise<boolean> {
  annotateLog({ end_call: 'requested' });
  if (carrier === null) return false;
  const answer = await askCarrier(async () => {
    await carrier.endCall(carrierCallSid);
    return 'ends' as const;
  });
  return answer !== null;
}

/** When to check again: at once if the end of the call was requested during this check. */
function dueAfterPoll(seen: Call): (call: Call, now: Date) => string | null {
  return (call, now) =>
    isEndWanted(call) && !isEndWanted(seen) ? nextDueAt(call, now) : retryDueAt(call, now);
}

function applyPoll(services: CallServices, call: Call, answer: CarrierCall): Promise<Call | null> {
  return advanceCall(services, call, {
    type: 'polled',
    progress: answer.progress,
    talk_seconds: answer.talkSeconds,
  });
}

function isPastDeadline(services: CallServices, call: Call): boolean {
  return services.now().getTime() >= callDeadline(call);
}
