import type { CarrierEvent } from '#shared/domain/carrier-event.ts';
import { noRecording, type Recording } from '#shared/domain/recording.ts';

/** What the carrier reports about the recording of a call. */
export type RecordingReport = Extract<CarrierEvent, { type: 'recording' }>;

/** Events of a recording: what we find out or do. */
export type RecordingEvent =
  | { readonly type: 'recording-found'; readonly recording_sid: string }
  | {
      readonly type: 'recording-stored';
      readonly recording_sid: string;
      readonly key: string;
      readonly bytes: number;
      readonly channels: number;
      readonly duration_seconds: number;
      /** As the recording has it. */
      readonly waveform?: readonly string[];
      /** When to delete it; null for never. */
      readonly kept_until: string | null;
    }
  /** The carrier no longer has a copy of the stored recording. */
  | { readonly type: 'recording-forgotten' }
  /** The project's retention has ended, and ours is deleted. */
  | { readonly type: 'recording-deleted'; readonly reason: string }
  /** No recording is known. */
  | { readonly type: 'recording-missing'; readonly reason: string }
  /** One exists, but could not be fetched for so long that the call is completed without it. */
  | { readonly type: 'recording-given-up'; readonly reason: string };

/*
 * The states of a recording, and the work (`recordingWork`) that moves it on:
 *
 * awaited, not found   its call looks for it: found, or none
 * awaited, found       is fetched: stored, or given up as none
 * stored               is deleted at the carrier at once, and here after its retention: none
 * none, found          is fetched late for a day, within its retention: stored
 * none                 is final, unless the carrier reports one after all: awaited, found
 */

interface RecordingContext {
  /** Whether the call was completed, with or without its recording. */
  readonly isCompleted: boolean;
  readonly now: Date;
}

/** The recording after an event; the same object if the event changes nothing. Events may repeat, in any order. */
export function reduceRecording(
  recording: Recording,
  event: RecordingReport | RecordingEvent,
  context: RecordingContext,
): Recording {
  switch (event.type) {
    case 'recording':
      return reported(recording, event, context);
    case 'recording-found':
      return completed(recording, event.recording_sid, context);
    case 'recording-stored':
      return recording.status === 'stored' ? recording : stored(recording, event);
    case 'recording-forgotten':
      return recording.at_carrier ? { ...recording, at_carrier: false } : recording;
    case 'recording-deleted':
      return recording.status === 'stored' ? deleted(recording, event.reason) : recording;
    case 'recording-missing':
      return missing(recording, event.reason);
    case 'recording-given-up':
      return recording.status === 'awaited' ? settledAsNone(recording, event.reason) : recording;
  }
}

function reported(recording: Recording, report: RecordingReport, context: RecordingContext): Recording {
  switch (report.status) {
    case 'in-progress':
      return recording;
    case 'completed':
      return completed(recording, report.recording_sid, context);
    case 'absent':
      return missing(recording, 'The carrier made no recording, because the call was too short or silent.');
    case 'failed':
      return missing(recording, 'The carrier could not make the recording.');
  }
}

/** An existing recording outweighs a report of none, even after the call was completed without it. */
function completed(recording: Recording, sid: string, { isCompleted, now }: RecordingContext): Recording {
  switch (recording.status) {
    case 'awaited':
      return recording.carrier_recording_sid === null ? found(recording, sid, now) : recording;
    case 'stored':
      // Another recording of the same call must not stay at the carrier forever.
      return recording.carrier_recording_sid === sid || recording.at_carrier
        ? recording
        : { ...recording, at_carrier: true };
    case 'none': {
      const isDeletedByUs = recording.kept_until !== null;
      const isJustGivenUp = recording.carrier_recording_sid !== null && !isCompleted;
      return isDeletedByUs || isJustGivenUp ? recording : found(recording, sid, now);
    }
  }
}

function found(recording: Recording, sid: string, now: Date): Recording {
  return {
    ...recording,
    status: 'awaited',
    carrier_recording_sid: sid,
    found_at: now.toISOString(),
    reason: null,
  };
}

function stored(
  recording: Recording,
  event: Extract<RecordingEvent, { type: 'recording-stored' }>,
): Recording {
  return {
    ...recording,
    status: 'stored',
    carrier_recording_sid: event.recording_sid,
    at_carrier: true,
    kept_until: event.kept_until,
    key: event.key,
    bytes: event.bytes,
    channels: event.channels,
    duration_seconds: event.duration_seconds,
    ...(event.waveform === undefined ? {} : { waveform: [...event.waveform] }),
    reason: null,
    leased_until: null,
  };
}

/** Settles as none, unless a recording is known to exist. */
function missing(recording: Recording, reason: string): Recording {
  if (recording.status !== 'awaited' || recording.carrier_recording_sid !== null) return recording;
  return settledAsNone(recording, reason);
}

/** A recording whose retention has ended. */
function deleted(recording: Recording, reason: string): Recording {
  return {
    ...settledAsNone(recording, reason),
    at_carrier: recording.at_carrier,
    kept_until: recording.kept_until,
  };
}

/** Keeps the carrier's ID of it. */
function settledAsNone({ carrier_recording_sid, version }: Recording, reason: string): Recording {
  return { ...noRecording(reason), carrier_recording_sid, version };
}
