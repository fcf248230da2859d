import type { Call } from '#shared/domain/call.ts';

/**
 * What is to be done about a recording that exists: `fetch` it from the carrier, `delete` ours because it was kept long
 * enough, have the carrier `forget` its copy.
 */
export type RecordingWork = 'fetch' | 'delete' | 'forget';

/** What is to be done now about a call's recording, or null when nothing is. */
export function recordingWork(call: Call, now: Date): RecordingWork | null {
  if (isToBeFetched(call)) return 'fetch';
  if (isToBeDeleted(call) && Date.parse(call.recording.kept_until ?? '') <= now.getTime()) return 'delete';
  return call.recording.at_carrier ? 'forget' : null;
}

/** Whether something about the call's recording is left to do, now or later. */
export function isRecordingUnfinished(call: Call): boolean {
  return isToBeFetched(call) || isToBeDeleted(call) || call.recording.at_carrier;
}

/** Whether the carrier has a recording of the call that we have not stored yet. */
export function isToBeFetched({ recording }: Call): boolean {
  return recording.status === 'awaited' && recording.carrier_recording_sid !== null;
}

function isToBeDeleted({ recording }: Call): boolean {
  return recording.status === 'stored' && recording.kept_until !== null;
}
