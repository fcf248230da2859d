import type { Call } from '#shared/domain/call.ts';

/*
 * The limits of every wait for a recording. The due time of its call follows from them.
 */

const secondMs = 1000;

/** A call whose recording does not show in the carrier's list by then has none. */
export const noRecordingAfterSeconds = 10 * 60;
/** Work on a recording that was asked for by a message is asked for again after this, should the message be lost. */
export const recordingHandoverSeconds = 2 * 60;
/** The lease on a recording that is being fetched: longer than that function can run. */
export const recordingFetchSeconds = 16 * 60;
/** A recording that exists and still cannot be fetched is given up, so that the call can be completed. */
export const recordingGiveUpAfterSeconds = 60 * 60;
/** What was given up is tried again this often, for a day. */
export const lateFetchEverySeconds = 15 * 60;

/** Deletion is not urgent, and one that keeps failing needs a person. */
export const longestDeletionWaitMs = 6 * 60 * 60 * secondMs;

/** Since when a recording is awaited: it cannot be fetched before its call has ended and it has been found. */
export function recordingAwaitedSince(call: Call): string {
  const endedAt = call.ended_at ?? call.created_at;
  const { found_at } = call.recording;
  return found_at !== null && Date.parse(found_at) > Date.parse(endedAt) ? found_at : endedAt;
}

/** Since when the deletion of a recording, here or at the carrier, has been waited for. */
export function deletionWaitsSinceMs({ recording }: Call, completedAt: string, now: Date): number {
  const keptUntilMs = Date.parse(recording.kept_until ?? '');
  return keptUntilMs <= now.getTime() ? keptUntilMs : Date.parse(completedAt);
}

/** The carrier's copy is deleted as soon as ours is stored; the project decides when ours is deleted. */
export function deletionExpectedByMs({ recording }: Call, now: Date): number {
  const forgottenByMs = now.getTime() + recordingHandoverSeconds * secondMs;
  const keptUntilMs = Date.parse(recording.kept_until ?? '');
  if (Number.isNaN(keptUntilMs)) return forgottenByMs;
  return recording.at_carrier ? Math.min(forgottenByMs, keptUntilMs) : keptUntilMs;
}
