import type { SandboxCall } from '../store/sandbox-call.ts';
import type { SandboxRecording } from '../store/sandbox-recording.ts';
import { rfc2822 } from '../wire.ts';

/** Path of an account below the carrier's host. */
export function accountPath(accountSid: string): string {
  return `/2010-04-01/Accounts/${accountSid}`;
}

/** The carrier's Call resource (schema `api.v2010.account.call`): durations are text, dates RFC 2822. */
export function callResource(call: SandboxCall): Record<string, unknown> {
  const path = `${accountPath(call.account_sid)}/Calls/${call.sid}`;
  return {
    sid: call.sid,
    account_sid: call.account_sid,
    parent_call_sid: call.parent_sid,
    phone_number_sid: null,
    group_sid: null,
    trunk_sid: null,
    to: call.to,
    to_formatted: formatted(call.to),
    from: call.from,
    from_formatted: formatted(call.from),
    status: call.status,
    direction: call.direction,
    answered_by: call.answered_by,
    api_version: '2010-04-01',
    forwarded_from: null,
    caller_name: null,
    duration: call.duration_seconds === null ? null : String(call.duration_seconds),
    start_time: call.start_time,
    end_time: call.end_time,
    date_created: rfc2822(new Date(call.created_at)),
    date_updated: rfc2822(new Date(call.updated_at)),
    price: null,
    price_unit: 'USD',
    queue_time: String(call.queue_ms),
    uri: `${path}.json`,
    subresource_uris: { recordings: `${path}/Recordings.json` },
  };
}

/** The carrier's Recording resource (schema `api.v2010.account.recording`). */
export function recordingResource(recording: SandboxRecording): Record<string, unknown> {
  const path = `${accountPath(recording.account_sid)}/Recordings/${recording.sid}`;
  return {
    ...commonMembers(recording),
    uri: `${path}.json`,
    subresource_uris: {
      add_on_results: `${path}/AddOnResults.json`,
      transcriptions: `${path}/Transcriptions.json`,
    },
    // Only of recordings that lie in a bucket of the customer's own.
    media_url: null,
  };
}

/** The same recording as a resource of its call (schema `api.v2010.account.call.call_recording`). */
export function callRecordingResource(recording: SandboxRecording): Record<string, unknown> {
  const { account_sid, call_sid, sid, track } = recording;
  return {
    ...commonMembers(recording),
    track,
    uri: `${accountPath(account_sid)}/Calls/${call_sid}/Recordings/${sid}.json`,
  };
}

function commonMembers(recording: SandboxRecording): Record<string, unknown> {
  return {
    sid: recording.sid,
    account_sid: recording.account_sid,
    call_sid: recording.call_sid,
    conference_sid: null,
    api_version: '2010-04-01',
    status: recording.status,
    channels: recording.channels,
    source: recording.source,
    error_code: recording.error_code,
    duration: recording.duration_seconds === null ? null : String(recording.duration_seconds),
    start_time: recording.start_time,
    date_created: rfc2822(new Date(recording.created_at)),
    date_updated: rfc2822(new Date(recording.updated_at)),
    price: null,
    price_unit: 'USD',
    encryption_details: null,
  };
}

/** `(202) 555-0100` for numbers of North America. */
function formatted(number: string): string {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number);
  return parts === null ? number : `(${parts[1]}) ${parts[2]}-${parts[3]}`;
}
