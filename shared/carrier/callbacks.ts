import * as z from 'zod/mini';
import type { AnsweredBy } from '#shared/domain/call.ts';
import type { CarrierEvent } from '#shared/domain/carrier-event.ts';
import { PhoneNumber } from '#shared/domain/values.ts';
import { CallStatus } from './call-status.ts';

/** Kinds of callbacks; the second segment of the callback's path. */
export const CallbackKind = z.enum(['answer', 'status', 'amd', 'recording', 'relay-end']);
export type CallbackKind = z.infer<typeof CallbackKind>;

/**
 * Makes the carrier retry up to three times on 5xx, a refused connection or no response; without it, a callback that
 * meets a failing function is lost. The carrier reads it from the fragment and neither sends nor signs it
 * (twilio.com/docs/usage/webhooks/webhooks-connection-overrides).
 */
const retryFragment = '#rc=3&rp=5xx,ct,rt';

/** The voice URL of our numbers, for inbound calls, and the action URL that reports how a forwarded call ended. */
export const inboundCallPath = '/carrier/inbound';

/** The voice URL of each of our numbers at the carrier. */
export function inboundCallUrl(publicBaseUrl: string): string {
  return `${publicBaseUrl}${inboundCallPath}`;
}

/** The path of a callback. It contains our IDs, so a callback finds its call without a lookup. */
export function callbackPath(kind: string, taskId: string, callId: string): string {
  return `/carrier/${kind}/${taskId}/${callId}`;
}

/** The URL of a callback, as given to the carrier. */
export function callbackUrl(
  publicBaseUrl: string,
  kind: CallbackKind,
  taskId: string,
  callId: string,
): string {
  return `${publicBaseUrl}${callbackPath(kind, taskId, callId)}${retryFragment}`;
}

const Sid = z.string().check(z.regex(/^[A-Z]{2}[0-9a-fA-F]{32}$/));
const WholeNumber = z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number));

/**
 * Why something failed; 0 means nothing did. Its presence is undocumented, so a malformed one does not invalidate the
 * callback.
 */
const ErrorCode = z.pipe(
  z.optional(z.string()),
  z.transform((code) => (code !== undefined && /^[1-9]\d{0,5}$/.test(code) ? { error_code: code } : {})),
);

// `Duration` counts minutes for billing; `CallDuration` has the seconds.
const StatusForm = z.object({
  CallSid: Sid,
  CallStatus,
  SequenceNumber: z.optional(WholeNumber),
  CallDuration: z.optional(WholeNumber),
  SipResponseCode: z.optional(z.string().check(z.regex(/^\d{0,3}$/))),
  ErrorCode,
});

// The detection callback has nothing else of use: no sequence numbers, and the time the verdict took decides nothing.
const DetectionForm = z.object({ CallSid: Sid, AnsweredBy: z.string() });

/**
 * The verdicts of both detection modes: the one we request (`Enable`) and the one that waits for the end of a greeting
 * (twilio.com/docs/voice/answering-machine-detection). An unknown verdict decides nothing.
 */
const answeredByWords: ReadonlyMap<string, AnsweredBy> = new Map([
  ['human', 'human'],
  ['machine_start', 'machine'],
  ['machine_end_beep', 'machine'],
  ['machine_end_silence', 'machine'],
  ['machine_end_other', 'machine'],
  ['fax', 'fax'],
  ['unknown', 'unknown'],
]);

const RecordingForm = z.object({
  CallSid: Sid,
  RecordingSid: Sid,
  RecordingStatus: z.enum(['in-progress', 'completed', 'absent', 'failed']),
});

const InboundCallForm = z.object({ CallSid: Sid, To: PhoneNumber, DialCallStatus: z.optional(z.string()) });

/** A call to one of our numbers. */
export interface InboundCall {
  readonly callSid: string;
  /** The called number of ours, E.164. */
  readonly to: string;
  /**
   * Null before forwarding. Unreached: the call was not answered, and the caller is still there
   * (twilio.com/docs/voice/twiml/dial#dialcallstatus).
   */
  readonly forwarding: 'over' | 'unreached' | null;
}

/** Parses a callback about an inbound call; null when required members are missing. */
export function parseInboundCall(form: URLSearchParams): InboundCall | null {
  const result = InboundCallForm.safeParse(Object.fromEntries(form));
  if (!result.success) return null;
  const { CallSid, To, DialCallStatus } = result.data;
  const forwarding =
    DialCallStatus === undefined
      ? null
      : ['busy', 'no-answer', 'failed'].includes(DialCallStatus)
        ? 'unreached'
        : 'over';
  return { callSid: CallSid, to: To, forwarding };
}

const RelayEndForm = z.object({
  CallSid: Sid,
  SessionStatus: z.enum(['ended', 'completed', 'failed']),
  ErrorCode,
});

/**
 * Parses a callback's form; null when required members are missing. Ignores unknown members, because the carrier may
 * add some at any time.
 */
export function parseCallback(kind: CallbackKind, form: URLSearchParams): CarrierEvent | null {
  const members = Object.fromEntries(form);
  switch (kind) {
    case 'answer':
    case 'status': {
      const result = StatusForm.safeParse(members);
      if (!result.success) return null;
      const { CallSid, CallStatus, SequenceNumber, CallDuration, SipResponseCode } = result.data;
      return {
        type: 'progress',
        progress: CallStatus,
        carrier_call_sid: CallSid,
        // The request for the answer document is not one of the numbered events.
        sequence: SequenceNumber ?? 0,
        sip_response_code: SipResponseCode === '' ? null : (SipResponseCode ?? null),
        talk_seconds: CallDuration ?? null,
        ...result.data.ErrorCode,
      };
    }
    case 'amd': {
      const result = DetectionForm.safeParse(members);
      if (!result.success) return null;
      return {
        type: 'answered-by',
        carrier_call_sid: result.data.CallSid,
        answered_by: answeredByWords.get(result.data.AnsweredBy) ?? 'unknown',
      };
    }
    case 'recording': {
      const result = RecordingForm.safeParse(members);
      if (!result.success) return null;
      return {
        type: 'recording',
        carrier_call_sid: result.data.CallSid,
        status: result.data.RecordingStatus,
        recording_sid: result.data.RecordingSid,
      };
    }
    case 'relay-end': {
      const result = RelayEndForm.safeParse(members);
      if (!result.success) return null;
      return {
        type: 'session-ended',
        carrier_call_sid: result.data.CallSid,
        session_status: result.data.SessionStatus,
        ...result.data.ErrorCode,
      };
    }
  }
}
