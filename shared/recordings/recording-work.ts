import type { Call } from '#shared/domain/call.ts';
import { dayMs } from '#shared/domain/time.ts';

/**
 * Work on an existing recording: `fetch` it from the carrier, `delete` ours at the end of its retention,
 * `delete-at-carrier` its copy.
 */
export type RecordingWork = 'fetch' | 'delete' | 'delete-at-carrier';

/** How long to keep trying to fetch a recording after its call was completed without it. */
const lateFetchMs = dayMs;

/** The work due on a call's recording now, or null. */
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
 * Whether an existing recording was given up but may still be fetched. Its call is completed without it, or about to
 * be.
 */
export function isFetchedLate({ completed_at, recording }: Call, now: Date): boolean {
  if (recording.status !== 'none' || recording.carrier_recording_sid === null) return false;
  // A recording that was stored and deleted is not fetched again.
  if (recording.kept_until !== null) return false;
  return completed_at === null || now.getTime() < Date.parse(completed_at) + lateFetchMs;
}

/** Whether ours is deleted at the end of its retention. */
export function isToBeDeleted({ recording }: Call): boolean {
  return recording.status === 'stored' && recording.kept_until !== null;
}
