import { retryWaitMs } from '#shared/calls/retry-wait.ts';
import type { Call } from '#shared/domain/call.ts';
import type { Recording } from '#shared/domain/recording.ts';
import { timestampAfter } from '#shared/domain/time.ts';
import { isFetchedLate, isToBeDeleted, isToBeFetched } from './recording-work.ts';

/* Every wait of a known recording is a due time on its own item. All its limits are declared here. */

const secondMs = 1000;

/** A call whose recording is missing in the carrier's list by then has none. */
export const noRecordingAfterSeconds = 10 * 60;
/** When to request work on a recording again, in case the message was lost. */
const handoverSeconds = 2 * 60;
/** A due time stays if the message has at least this long, because moving it costs two index writes. */
const shortestHandoverSeconds = 60;
/** The lease on a recording being fetched: longer than the fetching function can run. */
const leaseSeconds = 16 * 60;
/** An existing recording that cannot be fetched for this long is given up, so that the call can be completed. */
export const recordingGiveUpAfterSeconds = 60 * 60;
const longestFetchWaitMs = 5 * 60 * secondMs;
/** How often fetching is retried after giving up, for a day. */
const lateFetchEverySeconds = 15 * 60;
/** Deletion is not urgent, and one that keeps failing needs a person. */
const longestDeletionWaitMs = 6 * 60 * 60 * secondMs;

/** The call with its recording due for its next work; never if there is none. */
export function withRecordingDue(call: Call, now: Date): Call {
  const dueAt = recordingDueAt(call, now);
  return dueAt === call.recording.due_at ? call : withDue(call, dueAt);
}

function recordingDueAt(call: Call, now: Date): string | null {
  const { recording } = call;
  if (isFetchLeased(recording, now)) return recording.leased_until;
  const dues = [
    ...(isToBeFetched(call) || recording.at_carrier ? [handoverAt(recording, now)] : []),
    ...(isFetchedLate(call, now) ? [timestampAfter(now, lateFetchEverySeconds * secondMs)] : []),
    // The project decides when ours is deleted.
    ...(isToBeDeleted(call) && recording.kept_until !== null ? [recording.kept_until] : []),
  ];
  return dues.sort()[0] ?? null;
}

function handoverAt({ due_at }: Recording, now: Date): string {
  const latest = timestampAfter(now, handoverSeconds * secondMs);
  const isSoon =
    due_at !== null && due_at >= timestampAfter(now, shortestHandoverSeconds * secondMs) && due_at < latest;
  return isSoon ? due_at : latest;
}

/**
 * The call with its recording leased to a worker that fetches it. Most are fetched before they are due again; who is
 * told of a leased one puts it off.
 */
export function leased(call: Call, now: Date): Call {
  const { due_at } = call.recording;
  const until = timestampAfter(now, leaseSeconds * secondMs);
  const isDueLater = due_at !== null && due_at > now.toISOString();
  return {
    ...call,
    recording: { ...call.recording, due_at: isDueLater ? due_at : until, leased_until: until },
  };
}

/** Whether a worker may be fetching the recording now. */
export function isFetchLeased({ leased_until }: Recording, now: Date): boolean {
  return leased_until !== null && leased_until > now.toISOString();
}

/** The call with its recording due again after a failed try, which ends its lease. */
export function triedInVain(call: Call, now: Date): Call {
  const { recording } = call;
  const due = isFetchedLate(call, now) ? lateFetchEverySeconds * secondMs : retryMs(call, now);
  return withDue({ ...call, recording: { ...recording, leased_until: null } }, timestampAfter(now, due));
}

/** The call with its expired recording, which a legal hold keeps, due for another check. */
export function held(call: Call, now: Date): Call {
  return withDue(call, timestampAfter(now, longestDeletionWaitMs));
}

function retryMs(call: Call, now: Date): number {
  const { kept_until } = call.recording;
  const nowMs = now.getTime();
  if (isToBeFetched(call)) {
    // It follows the end of its call, so until that is reported it is merely late.
    const sinceMs = call.ended_at === null ? nowMs : Date.parse(recordingAwaitedSince(call));
    return retryWaitMs(nowMs - sinceMs, longestFetchWaitMs);
  }
  const isOverTime = kept_until !== null && Date.parse(kept_until) <= nowMs;
  const since = isOverTime ? kept_until : (call.completed_at ?? now.toISOString());
  return retryWaitMs(nowMs - Date.parse(since), longestDeletionWaitMs);
}

/** Since when a recording is awaited: from the later of its call's end and its discovery. */
export function recordingAwaitedSince(call: Call): string {
  const endedAt = call.ended_at ?? call.created_at;
  const { found_at } = call.recording;
  return found_at !== null && Date.parse(found_at) > Date.parse(endedAt) ? found_at : endedAt;
}

function withDue(call: Call, due_at: string | null): Call {
  return { ...call, recording: { ...call.recording, due_at } };
}
