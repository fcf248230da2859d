import { retryWaitMs } from '#shared/calls/retry-wait.ts';
import type { Call } from '#shared/domain/call.ts';
import { usualCallSeconds } from '#shared/domain/project.ts';
import { isEnded, wasAnswered, wasCutOff } from './reduce-call.ts';

/*
 * Every wait of a call is a due time on its item. All limits but those of a known recording stand here, so that "how
 * long can this take" has one answer: a call is closed at the latest
 * `ringSeconds + maxTalkSeconds(call) + closingGraceSeconds` after it was claimed, and `endingGraceSeconds` later when
 * the carrier cannot be brought to end it. It is completed at the latest `recordingGiveUpAfterSeconds` after that, each
 * at the next look, or when a transfer that was begun before has ended. After that only its recording may have
 * something left to wait for, by a due time of its own.
 */

const secondMs = 1000;

/** How long the carrier lets it ring. Answering machines mostly pick up before. */
export const ringSeconds = 45;
/** How long after the carrier must have ended a call its final report may still come. */
const closingGraceSeconds = 5 * 60;
/** How long the carrier is asked again to end a call whose deadline has passed, when it does not say that it does. */
const endingGraceSeconds = 10 * 60;
const endAgainAfterSeconds = 30;

/** After this the function that claimed the call has timed out, so the carrier's response is lost. */
export const submissionLostAfterSeconds = 2 * 60;
/** First look into the carrier's call list, which lags behind, when the answer to a submission was lost. */
const firstReconciliationAfterSeconds = 15;
/** A call that the list does not show by then was never placed. */
export const abandonAfterSeconds = 5 * 60;

/** A call that is not answered, busy or over by then has lost a report. */
const connectionGraceSeconds = 60;
/**
 * The carrier is asked this often whether an answered call still goes on. It tries a report again for 15
 * seconds only, so the end of a call that came while this service was down would otherwise be noticed at the
 * deadline.
 */
const talkLookSeconds = 5 * 60;
/** The final report follows the end of the conversation within moments. */
const sessionEndGraceSeconds = 60;

/** First look for a recording whose report did not come. */
const firstRecordingLookAfterSeconds = 45;
/**
 * How long the end of a call waits for words that were still on their way to the voice agent when the person hung up.
 * Their absence is never reported, so every conversation that we did not end ourselves costs this wait.
 */
export const conversationGraceSeconds = 3;

/** A call whose conversation cannot be evaluated is completed without a result after this. */
export const resultGiveUpAfterSeconds = 15 * 60;

/** A look that would move by less stays where it is: moving it costs two index writes. */
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

/**
 * Until when the carrier is asked to end a call that has passed its deadline; after that the call is closed
 * without.
 */
export function lastEndingTry(call: Call): number {
  return callDeadline(call) + endingGraceSeconds * secondMs;
}

/** When the carrier, which did not end a call, is asked to do so again. */
export function endAgainAt(_: Call, now: Date): string {
  return new Date(now.getTime() + endAgainAfterSeconds * secondMs).toISOString();
}

/**
 * When to check the call if there is no news of it: the moment at which what it waits for is overdue, and
 * from then on at growing intervals. Null for a completed call.
 */
export function nextDueAt(call: Call, now: Date): string | null {
  if (call.completed_at !== null) return null;
  if (isEndWanted(call)) return now.toISOString();
  const expectedAtMs = expectedByMs(call, now);
  if (expectedAtMs <= now.getTime()) return retryDueAt(call, now);
  return isCloseTo(expectedAtMs, call, now) ? call.due_at : new Date(expectedAtMs).toISOString();
}

/**
 * Whether the look that is already due comes soon enough before or after that moment, and before the call must have
 * ended.
 */
function isCloseTo(expectedAtMs: number, call: Call, now: Date): boolean {
  const dueMs = Date.parse(call.due_at ?? '');
  const shiftMs = Math.min(longestShiftMs, (expectedAtMs - now.getTime()) / 2);
  const isInTime = isEnded(call) || dueMs <= callDeadline(call);
  return dueMs > now.getTime() && Math.abs(expectedAtMs - dueMs) <= shiftMs && isInTime;
}

/**
 * When to check a call again after a failed attempt: after half of the time waited so far, so that what is
 * late by seconds is asked for soon and what is late by minutes less often.
 */
export function retryDueAt(call: Call, now: Date): string {
  const waitMs = retryWaitMs(now.getTime() - waitsSinceMs(call), longestWaitMs);
  // The limits themselves are kept to the second.
  const limitsMs = openCallLimits(call)
    .map((limitMs) => limitMs - now.getTime())
    .filter((untilLimitMs) => untilLimitMs > 0);
  return new Date(now.getTime() + Math.min(waitMs, ...limitsMs)).toISOString();
}

/** The moments at which a call that has not ended is given up. */
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
  // However long the call has lasted, what counts is how long what follows its end has been waited for.
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

/** Seconds that passed since a time of the call's record. */
export function secondsSince(timestamp: string, now: Date): number {
  return (now.getTime() - Date.parse(timestamp)) / secondMs;
}
