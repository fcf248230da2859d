import { retryWaitMs } from '#shared/calls/retry-wait.ts';
import { type Call, wasAnswered } from '#shared/domain/call.ts';
import { usualCallSeconds } from '#shared/domain/project.ts';
import { timestampAfter } from '#shared/domain/time.ts';
import { isEnded, wasCutOff } from './reduce-call.ts';

/*
 * Every wait of a call is a due time on its item. All limits but those of a known recording are declared here, so that
 * "how long can this take" has one answer: a call is closed at most `ringSeconds + maxTalkSeconds(call) +
 * closingGraceSeconds` after its claim, plus `endingGraceSeconds` if the carrier cannot end it. It is completed at
 * most `recordingGiveUpAfterSeconds` later, each at the next check, or when a transfer in progress has ended. Then
 * only its recording may still wait, by a due time of its own.
 */

const secondMs = 1000;

/** How long the carrier lets it ring. Answering machines usually pick up earlier. */
export const ringSeconds = 45;
/** How long the carrier's final report may take after it must have ended a call. */
const closingGraceSeconds = 5 * 60;
/** How long to retry ending an overdue call at the carrier without confirmation. */
const endingGraceSeconds = 10 * 60;
const endAgainAfterSeconds = 30;

/** By then the claiming function has timed out, so the carrier's response is lost. */
export const submissionLostAfterSeconds = 2 * 60;
/** First check of the carrier's call list, which lags behind, when the response to a dial was lost. */
const firstReconciliationAfterSeconds = 15;
/** A call missing from the list by then was never placed. */
export const abandonAfterSeconds = 5 * 60;

/** A call that is not answered, busy or over by then has lost a report. */
const connectionGraceSeconds = 60;
/**
 * How often the carrier is asked whether an answered call is still in progress. It retries a report for only 15
 * seconds, so a call that ends during an outage of this service would otherwise be noticed at its deadline.
 */
const talkLookSeconds = 5 * 60;
/** The final report follows the end of the conversation within moments. */
const sessionEndGraceSeconds = 60;

/** First check for a recording that was not reported. */
const firstRecordingLookAfterSeconds = 45;
/**
 * How long an ended call waits for words still on their way to the voice agent when the person hung up. Their absence
 * is never reported, so every conversation that we did not end ourselves incurs this wait.
 */
export const conversationGraceSeconds = 3;

/** A call whose conversation cannot be evaluated is completed without a result after this. */
export const resultGiveUpAfterSeconds = 15 * 60;

/** A check is not moved by less than this, because moving it costs two index writes. */
const longestShiftMs = 20 * secondMs;

const longestWaitMs = 5 * 60 * secondMs;

/** How many seconds after the answer the carrier hangs up. */
export function maxTalkSeconds({ max_talk_seconds }: Pick<Call, 'max_talk_seconds'>): number {
  return max_talk_seconds ?? usualCallSeconds;
}

/** When a call must have ended, regardless of reports. */
export function callDeadline(call: Call): number {
  return Date.parse(call.created_at) + (ringSeconds + maxTalkSeconds(call) + closingGraceSeconds) * secondMs;
}

/** Until when to retry ending an overdue call at the carrier; then the call is closed without it. */
export function lastEndingTry(call: Call): number {
  return callDeadline(call) + endingGraceSeconds * secondMs;
}

/** When to ask the carrier again to end a call. */
export function endAgainAt(_: Call, now: Date): string {
  return timestampAfter(now, endAgainAfterSeconds * secondMs);
}

/**
 * When to check the call if there is no news: when its next event is overdue, and then at growing intervals. Null for
 * a completed call.
 */
export function nextDueAt(call: Call, now: Date): string | null {
  if (call.completed_at !== null) return null;
  if (isEndWanted(call)) return now.toISOString();
  const expectedAtMs = expectedByMs(call, now);
  if (expectedAtMs <= now.getTime()) return retryDueAt(call, now);
  return isCloseTo(expectedAtMs, call, now) ? call.due_at : new Date(expectedAtMs).toISOString();
}

/** Whether the scheduled check is close enough to that moment, and before the call must have ended. */
function isCloseTo(expectedAtMs: number, call: Call, now: Date): boolean {
  const dueMs = Date.parse(call.due_at ?? '');
  const shiftMs = Math.min(longestShiftMs, (expectedAtMs - now.getTime()) / 2);
  const isInTime = isEnded(call) || dueMs <= callDeadline(call);
  return dueMs > now.getTime() && Math.abs(expectedAtMs - dueMs) <= shiftMs && isInTime;
}

/**
 * When to check a call again after a failed attempt: after half of the time waited so far, so that short delays are
 * checked soon and long ones less often.
 */
export function retryDueAt(call: Call, now: Date): string {
  const waitMs = retryWaitMs(now.getTime() - waitsSinceMs(call), longestWaitMs);
  // The limits themselves are exact to the second.
  const limitsMs = openCallLimits(call)
    .map((limitMs) => limitMs - now.getTime())
    .filter((untilLimitMs) => untilLimitMs > 0);
  return timestampAfter(now, Math.min(waitMs, ...limitsMs));
}

/** The moments at which a call in progress is given up. */
function openCallLimits(call: Call): number[] {
  if (isEnded(call)) return [];
  const deadline = callDeadline(call);
  return call.carrier_call_sid === null
    ? [Date.parse(call.created_at) + abandonAfterSeconds * secondMs, deadline]
    : [deadline];
}

/** Whether the call has to be ended at the carrier, because its task was canceled. */
export function isEndWanted(call: Call): boolean {
  return call.end_requested_at !== null && call.carrier_call_sid !== null && !isEnded(call);
}

function waitsSinceMs(call: Call): number {
  // Measured from the event waited on, not from the start of the call.
  return Date.parse(call.ended_at ?? call.end_requested_at ?? call.created_at);
}

function expectedByMs(call: Call, now: Date): number {
  const createdAtMs = Date.parse(call.created_at);
  if (isEnded(call)) return endedCallExpectedByMs(call);
  if (call.carrier_call_sid === null) {
    const lost = call.submission === 'claimed' ? submissionLostAfterSeconds : firstReconciliationAfterSeconds;
    return createdAtMs + lost * secondMs;
  }
  if (call.session_status !== null) {
    const finalReportByMs = now.getTime() + sessionEndGraceSeconds * secondMs;
    return Math.min(finalReportByMs, callDeadline(call));
  }
  if (wasAnswered(call)) return Math.min(now.getTime() + talkLookSeconds * secondMs, callDeadline(call));
  return createdAtMs + (ringSeconds + connectionGraceSeconds) * secondMs;
}

function endedCallExpectedByMs(call: Call): number {
  const endedAtMs = Date.parse(call.ended_at ?? call.updated_at);
  if (!wasAnswered(call)) return endedAtMs;
  const isRecordingExpected = call.recording.status === 'awaited' && !wasCutOff(call);
  const waitSeconds = isRecordingExpected ? firstRecordingLookAfterSeconds : conversationGraceSeconds;
  return endedAtMs + waitSeconds * secondMs;
}

/** Seconds since a time in the call's record. */
export function secondsSince(timestamp: string, now: Date): number {
  return (now.getTime() - Date.parse(timestamp)) / secondMs;
}
