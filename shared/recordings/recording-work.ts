import type { Call } from '#shared/domain/call.ts';

/**
 * What is to be done about a recording that exists: `fetch` it from the carrier, `delete` ours because it was kept long
 * enough, `delete-at-carrier` its copy.
 */
export type RecordingWork = 'fetch' | 'delete' | 'delete-at-carrier';

/** How long a recording that could not be had in time is tried for, beside the call that was completed without it. */
const lateFetchMs = 24 * 60 * 60 * 1000;

/** The work that a call's recording needs now, or null. */
export function recordingWork(call: Call, now: Date): RecordingWork | null {
  if (isToBeFetched(call) || isFetchedLate(call, now)) return 'fetch';
  if (isToBeDeleted(call) && Date.parse(call.recording.kept_until ?? '') <= now.getTime()) return 'delete';
  return call.recording.at_carrier ? 'delete-at-carrier' : null;
}

/** Whether the carrier has a recording of the call that we have not stored yet. */
export function isToBeFetched({ recording }: Call): boolean {
  return recording.status === 'awaited' && recording.carrier_recording_sid !== null;
}

/**
 * Whether a recording that the carrier has was given up, and it is not too late to get it after all. Its call is
 * completed without it, or about to be.
 */
export function isFetchedLate({ completed_at, recording }: Call, now: Date): boolean {
  if (recording.status !== 'none' || recording.carrier_recording_sid === null) return false;
  // A recording that was stored and deleted is not fetched again.
  if (recording.kept_until !== null) return false;
  return completed_at === null || now.getTime() < Date.parse(completed_at) + lateFetchMs;
}

/** Whether ours is deleted once it was kept long enough. */
export function isToBeDeleted({ recording }: Call): boolean {
  return recording.status === 'stored' && recording.kept_until !== null;
}
