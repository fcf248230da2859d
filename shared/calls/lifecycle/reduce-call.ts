import type { Call, CarrierProgress } from '#shared/domain/call.ts';
import type { CarrierEvent } from '#shared/domain/carrier-event.ts';
import { withRecordingDue } from '#shared/recordings/recording-deadlines.ts';
import {
  type RecordingEvent,
  type RecordingReport,
  reduceRecording,
} from '#shared/recordings/reduce-recording.ts';
import { type SubmissionSign, submissionAfter } from './submission.ts';

/** Events of a call: the carrier's reports, and what we find out or decide ourselves. */
export type CallEvent =
  | CarrierEvent
  /** The carrier accepted the call. */
  | { readonly type: 'submitted'; readonly carrier_call_sid: string; readonly progress: CarrierProgress }
  /** The carrier refused the number for good; there is no call. */
  | { readonly type: 'number-refused'; readonly error_code: string | null }
  /** The carrier's response to our request was lost. */
  | { readonly type: 'submission-lost' }
  /** A call with unknown submission was found in the carrier's list. */
  | { readonly type: 'adopted'; readonly carrier_call_sid: string }
  /** It was missing there for so long that it was never placed. */
  | { readonly type: 'abandoned' }
  /** We polled the carrier, because it had not reported. */
  | { readonly type: 'polled'; readonly progress: CarrierProgress; readonly talk_seconds: number | null }
  /** The carrier will report nothing more. */
  | { readonly type: 'given-up' }
  /** Events of its recording. */
  | RecordingEvent;

/** Progress only goes up; the five ends share the top rank. */
const ranks: Record<CarrierProgress, number> = {
  queued: 0,
  initiated: 1,
  ringing: 2,
  answered: 3,
  completed: 4,
  busy: 4,
  no_answer: 4,
  failed: 4,
  canceled: 4,
};
const finalRank = 4;

/** Whether the carrier will report no more progress of the call. */
export function isEnded(call: Call): boolean {
  return ranks[call.carrier_progress] === finalRank || call.closed_by !== null;
}

/** Whether the connection failed, or we ended it, before any speech, so that there was nothing to record. */
export function wasCutOff(call: Call): boolean {
  return (call.carrier_progress === 'failed' || call.end_requested_at !== null) && call.talk_seconds === 0;
}

/**
 * The call after an event; the same object if the event changes nothing. Commutative and idempotent: the same events
 * in any order lead to the same call. `version`, `updated_at` and the call's own `due_at` are left to the write.
 */
export function reduceCall(call: Call, event: CallEvent, now: Date): Call {
  switch (event.type) {
    case 'progress': {
      const known = withCarrierSid(call, event.carrier_call_sid);
      return known === null ? call : withProgress(known, event, 'carrier', now);
    }
    case 'submitted': {
      const known = withCarrierSid(call, event.carrier_call_sid);
      return known === null ? call : withProgress(known, { ...unnumbered, ...event }, 'carrier', now);
    }
    case 'polled':
      return withProgress(call, { ...unnumbered, ...event }, 'sweeper', now);
    case 'session-ended': {
      const known = withCarrierSid(call, event.carrier_call_sid);
      if (known === null) return call;
      return known.session_status === null && known.completed_at === null
        ? {
            ...known,
            session_status: event.session_status,
            session_error_code: event.error_code ?? null,
          }
        : known;
    }
    case 'answered-by': {
      const known = withCarrierSid(call, event.carrier_call_sid);
      if (known === null) return call;
      return known.answered_by === null && known.completed_at === null
        ? { ...known, answered_by: event.answered_by }
        : known;
    }
    case 'recording': {
      const known = withCarrierSid(call, event.carrier_call_sid);
      return known === null ? call : withRecording(known, event, now);
    }
    case 'recording-found':
    case 'recording-stored':
    case 'recording-forgotten':
    case 'recording-deleted':
    case 'recording-missing':
    case 'recording-given-up':
      return withRecording(call, event, now);
    case 'submission-lost':
      return isEnded(call) ? call : (withSubmission(call, 'answer-lost') ?? call);
    case 'adopted':
      return withCarrierSid(call, event.carrier_call_sid) ?? call;
    case 'abandoned':
      return neverPlaced(call, 'absent', 'sweeper', now);
    case 'number-refused': {
      const refused = neverPlaced(call, 'refused', 'carrier', now);
      return refused === call
        ? call
        : { ...refused, carrier_progress: 'failed', carrier_error_code: event.error_code };
    }
    case 'given-up':
      return isEnded(call) ? call : close(call, 'sweeper', now);
  }
}

/** For what was not reported as one of the carrier's numbered events; the events themselves count from 0. */
const unnumbered = { sequence: -1, sip_response_code: null, talk_seconds: null } as const;

/**
 * The call with its carrier ID. An event about a call with unknown submission proves that the carrier accepted it.
 * Null for an event about another call at the carrier.
 */
function withCarrierSid(call: Call, sid: string): Call | null {
  if (call.carrier_call_sid === sid) return call;
  if (call.carrier_call_sid !== null) return null;
  const found = withSubmission(call, 'found');
  return found === null ? null : { ...found, carrier_call_sid: sid };
}

function withSubmission(call: Call, sign: SubmissionSign): Call | null {
  const submission = submissionAfter(call.submission, sign);
  return submission === null ? null : { ...call, submission };
}

/** Closes a call that the carrier did not accept. */
function neverPlaced(call: Call, sign: SubmissionSign, source: 'carrier' | 'sweeper', now: Date): Call {
  const abandoned = isEnded(call) ? null : withSubmission(call, sign);
  return abandoned === null ? call : close(abandoned, source, now);
}

interface ProgressReport {
  readonly progress: CarrierProgress;
  readonly sequence: number;
  readonly sip_response_code: string | null;
  readonly error_code?: string | undefined;
  readonly talk_seconds: number | null;
}

function withProgress(call: Call, report: ProgressReport, source: 'carrier' | 'sweeper', now: Date): Call {
  // A call closed by polling or giving up stays as it was closed, and so does what the client has seen.
  if (call.completed_at !== null || call.closed_by === 'sweeper') return call;
  if (!isNewer(call, report)) return call;
  const next: Call = {
    ...call,
    carrier_progress: report.progress,
    carrier_sequence: report.sequence,
    sip_response_code: report.sip_response_code,
    carrier_error_code: report.error_code ?? null,
    talk_seconds: report.talk_seconds,
  };
  return ranks[report.progress] === finalRank ? close(next, source, now) : next;
}

/** Of two different ends, the one that the carrier numbered higher counts. */
function isNewer(call: Call, report: ProgressReport): boolean {
  const difference = ranks[report.progress] - ranks[call.carrier_progress];
  if (difference !== 0) return difference > 0;
  return ranks[report.progress] === finalRank && report.sequence > call.carrier_sequence;
}

function close(call: Call, closedBy: 'carrier' | 'sweeper', now: Date): Call {
  return { ...call, closed_by: call.closed_by ?? closedBy, ended_at: call.ended_at ?? now.toISOString() };
}

function withRecording(call: Call, event: RecordingReport | RecordingEvent, now: Date): Call {
  const recording = reduceRecording(call.recording, event, { isCompleted: call.completed_at !== null, now });
  return recording === call.recording ? call : withRecordingDue({ ...call, recording }, now);
}
