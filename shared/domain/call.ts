import * as z from 'zod/mini';
import { CallResult } from './call-result.ts';
import { Uuid } from './identifiers.ts';
import { CarrierName } from './project.ts';
import { isRecordingKnown, Recording } from './recording.ts';
import { PhoneNumber, Timestamp } from './values.ts';

/**
 * IN_PROGRESS, then one of the others for good. SUCCESS means a conversation held to its end, VOICEMAIL that a machine
 * that takes messages answered, whether or not one was left.
 */
export const CallStatus = z.enum([
  'IN_PROGRESS',
  'SUCCESS',
  'VOICEMAIL',
  'NO_ANSWER',
  'BUSY',
  'FAILED',
  'CANCELLED',
]);
export type CallStatus = z.infer<typeof CallStatus>;

/**
 * Progress of submitting the call to the carrier, which has no idempotency key: `claimed` before the request,
 * `submitted` when accepted, `unknown` when the response was lost, then `adopted` (found in the call list) or
 * `abandoned` (not there). A call with unknown submission is never dialed again.
 */
export const Submission = z.enum(['claimed', 'submitted', 'unknown', 'adopted', 'abandoned']);
export type Submission = z.infer<typeof Submission>;

/** Progress by the carrier's account, in the only possible order. */
export const CarrierProgress = z.enum([
  'queued',
  'initiated',
  'ringing',
  'answered',
  'completed',
  'busy',
  'no_answer',
  'failed',
  'canceled',
]);
export type CarrierProgress = z.infer<typeof CarrierProgress>;

/** How the voice agent's relay session ended: by us, by the person hanging up, or by a fault. */
export const SessionStatus = z.enum(['ended', 'completed', 'failed']);

/** Who took the call, by the carrier's answering-machine detection. Right in about nine of ten calls. */
export const AnsweredBy = z.enum(['human', 'machine', 'fax', 'unknown']);
export type AnsweredBy = z.infer<typeof AnsweredBy>;

/** A call without its recording, which changes separately. */
export const CallState = z.object({
  id: Uuid,
  task_id: Uuid,
  project_id: Uuid,
  patient_id: Uuid,
  attempt: z.int(),
  /** Why it was made when it was, in the words of the waiting task. */
  reason: z._default(z.nullable(z.string()), null),
  carrier: CarrierName,
  phone_number: PhoneNumber,
  status: CallStatus,
  submission: Submission,
  carrier_call_sid: z.nullable(z.string()),
  carrier_progress: CarrierProgress,
  /** Sequence number of the carrier's newest event that counted; -1 before the first. */
  carrier_sequence: z.int(),
  sip_response_code: z.nullable(z.string()),
  /** The carrier's code for why the call was refused or ended, if any. */
  carrier_error_code: z._default(z.nullable(z.string()), null),
  /** Seconds after the answer at which the carrier hangs up; null for `usualCallSeconds`. */
  max_talk_seconds: z._default(z.nullable(z.int()), null),
  /** From answer to hang-up, by the carrier's count, which is 0 without an answer; null without its report. */
  talk_seconds: z.nullable(z.number()),
  /** How long of that the agent was on hold; absent without hold time. */
  hold_seconds: z.optional(z.number()),
  session_status: z.nullable(SessionStatus),
  /** The carrier's code for why the session failed, if any. */
  session_error_code: z._default(z.nullable(z.string()), null),
  /** Null without a verdict; `unknown` is one. */
  answered_by: z._default(z.nullable(AnsweredBy), null),
  /** When the client canceled the task during the call; the call is ended at the carrier as soon as possible. */
  end_requested_at: z._default(z.nullable(Timestamp), null),
  /** What closed the call: the carrier's final event, or the sweeper without one. */
  closed_by: z.nullable(z.enum(['carrier', 'sweeper'])),
  call_outcome: z.nullable(z.string()),
  result: z.nullable(CallResult),
  /** When to check the call if nothing else happens; null once it is completed, even if its recording is still due. */
  due_at: z.nullable(Timestamp),
  ended_at: z.nullable(Timestamp),
  /** Terminal, with transcript and recording settled: the moment of `call.completed`. */
  completed_at: z.nullable(Timestamp),
  /** Whether its task had ended before the call completed. */
  outlived_task: z._default(z.boolean(), false),
  /** The task's. */
  trace_id: z.optional(z.string()),
  /** Counts writes; every change is conditional on it, so that concurrent reducers cannot overwrite each other. */
  version: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type CallState = z.infer<typeof CallState>;

export const Call = z.extend(CallState, { recording: Recording });
export type Call = z.infer<typeof Call>;

/**
 * Whether a person or machine took the call, by any report or by what was heard. To the carrier, `completed` means
 * answered and ended normally (Twilio's call status values); if its final report is lost, the others show the same.
 */
export function wasAnswered(
  call: Pick<CallState, 'status' | 'carrier_progress' | 'session_status' | 'answered_by' | 'talk_seconds'>,
): boolean {
  return (
    call.status === 'SUCCESS' ||
    call.status === 'VOICEMAIL' ||
    call.carrier_progress === 'answered' ||
    call.carrier_progress === 'completed' ||
    call.session_status !== null ||
    call.answered_by !== null ||
    (call.talk_seconds ?? 0) > 0
  );
}

const stateMembers = z.keyof(CallState).options;

/** Whether more than the call's recording changes. */
export function isStateChanged(before: Call, { recording: _, ...after }: Call): boolean {
  return stateMembers.some((name) => before[name] !== after[name]);
}

/** The next version of a call, for writing; every change goes through this. */
export function versioned(read: Call, next: Call, now: Date): Call {
  // Earlier versions stored the recording in its call's item; the next write moves it out.
  const isMoved = read.recording.version === 0 && isRecordingKnown(read.recording);
  const isCallWritten = isMoved || isStateChanged(read, next);
  const isRecordingWritten = isMoved || next.recording !== read.recording;
  return {
    ...next,
    version: read.version + (isCallWritten ? 1 : 0),
    recording: {
      ...next.recording,
      version: read.recording.version + (isRecordingWritten ? 1 : 0),
    },
    updated_at: now.toISOString(),
  };
}
