import { callDeadline, isEndWanted, nextDueAt } from '#shared/calls/lifecycle/deadlines.ts';
import { isEnded } from '#shared/calls/lifecycle/reduce-call.ts';
import type { Call } from '#shared/domain/call.ts';
import {
  longestDeletionWaitMs,
  recordingFetchSeconds,
  recordingHandoverSeconds,
} from './recording-deadlines.ts';
import { isFetchedLate, isToBeFetched, recordingWork } from './recording-work.ts';

const secondMs = 1000;

/** When to look at a call whose recording is being fetched: once the fetching must have died. */
export function fetchDueAt(call: Call, now: Date): string {
  return untilThen(call, now, recordingFetchSeconds);
}

/** When to look at a recording again that is over its time and that a legal hold keeps. */
export function heldDueAt(_: Call, now: Date): string {
  return new Date(now.getTime() + longestDeletionWaitMs).toISOString();
}

/** When to retry the recording work that was enqueued for a call, if there is any. */
export function handoverDueAt(call: Call, now: Date): string | null {
  return recordingWork(call, now) === null
    ? nextDueAt(call, now)
    : untilThen(call, now, recordingHandoverSeconds);
}

/** Whether the call's recording is being fetched, or its worker died a short while ago. */
export function isBeingFetched(call: Call, now: Date): boolean {
  const untilMs = Date.parse(call.due_at ?? '') - now.getTime();
  return isToBeFetched(call) && untilMs > recordingHandoverSeconds * secondMs;
}

/**
 * Whether a worker may be fetching the call's recording at this moment: it holds a lease, which is longer than it can
 * run.
 * No other wait is of exactly that length.
 */
export function isFetchLeased(call: Call, now: Date): boolean {
  const dueMs = Date.parse(call.due_at ?? '');
  const isFetched = isToBeFetched(call) || isFetchedLate(call, now);
  return (
    isFetched &&
    dueMs > now.getTime() &&
    dueMs - Date.parse(call.updated_at) === recordingFetchSeconds * secondMs
  );
}

/** Work on the recording puts off every look but those that the end of the call itself needs. */
function untilThen(call: Call, now: Date, seconds: number): string {
  if (isEndWanted(call)) return now.toISOString();
  const thenMs = now.getTime() + seconds * secondMs;
  const deadlineMs = callDeadline(call);
  const isDeadlineAhead = !isEnded(call) && deadlineMs > now.getTime();
  return new Date(isDeadlineAhead ? Math.min(thenMs, deadlineMs) : thenMs).toISOString();
}
