import type { CarrierProgress } from '#shared/domain/call.ts';
import type { CarrierEvent } from '#shared/domain/carrier-event.ts';

/* What the carrier reports about a call. */

export type ProgressDetails = Partial<
  Pick<Extract<CarrierEvent, { type: 'progress' }>, 'error_code' | 'sip_response_code' | 'talk_seconds'>
>;

export function progressReport(
  carrier_call_sid: string,
  progress: CarrierProgress,
  sequence: number,
  details: ProgressDetails = {},
): CarrierEvent {
  return {
    type: 'progress',
    progress,
    carrier_call_sid,
    sequence,
    sip_response_code: null,
    talk_seconds: null,
    ...details,
  };
}

export type RecordingStatus = Extract<CarrierEvent, { type: 'recording' }>['status'];

export function recordingReport(
  carrier_call_sid: string,
  recording_sid: string,
  status: RecordingStatus = 'completed',
): CarrierEvent {
  return { type: 'recording', carrier_call_sid, status, recording_sid };
}

export function sessionEndReport(carrier_call_sid: string): CarrierEvent {
  return { type: 'session-ended', carrier_call_sid, session_status: 'ended' };
}
