import type { SandboxCall } from '../store/sandbox-call.ts';
import { isAtHome, newSid, type StatusEvent, statusEvents } from '../wire.ts';
import { readMachineDetection } from './machine-detection.ts';
import { isIncomingNumber } from './own-numbers.ts';
import { invalidParameter, RestError } from './rest-error.ts';

/** Carrier parameters that the simulated network cannot honor; refusing them is better than ignoring them. */
const unsupported = [
  'ApplicationSid',
  'Byoc',
  'CallToken',
  'CallerId',
  'SendDigits',
  'SipAuthPassword',
  'SipAuthUsername',
] as const;

const phoneNumber = /^\+[1-9]\d{1,14}$/;
const longestTwiml = 4000;

/**
 * The call that a create request asks for, validated like at the carrier. `Record` and its companions are accepted
 * without effect, as for relay calls. A call to a number of the account without a document is an inbound call: that
 * number's voice URL answers. The carrier has no such request.
 */
export function readCallToPlace(
  form: URLSearchParams,
  {
    accountSid,
    publicBaseUrl,
    voiceUrl,
    now,
  }: { accountSid: string; publicBaseUrl: string; voiceUrl: string; now: Date },
): SandboxCall {
  const to = form.get('To') ?? '';
  const from = form.get('From') ?? '';
  if (to === '') throw new RestError(400, 21201, "No 'To' number is specified");
  if (!phoneNumber.test(to)) throw new RestError(400, 21211, "Invalid 'To' Phone Number");
  if (from === '') throw new RestError(400, 21213, "'From' phone number is required");
  if (!phoneNumber.test(from)) throw new RestError(400, 21212, "Invalid 'From' Phone Number");
  for (const name of unsupported) {
    if ((form.get(name) ?? '') !== '') throw invalidParameter(`The sandbox phone does not support ${name}`);
  }
  const url = homeAddress(form, 'Url', publicBaseUrl);
  const twiml = form.get('Twiml');
  const isInbound = url === null && !form.has('Twiml') && isIncomingNumber(to);
  if (url === null && (twiml === null || twiml === '') && !isInbound)
    throw new RestError(400, 21205, 'Url parameter is required.');
  if (twiml !== null && twiml.length > longestTwiml) throw invalidParameter('Twiml is too long');
  const at = now.toISOString();
  return {
    sid: newSid('CA'),
    type: 'call',
    account_sid: accountSid,
    to,
    from,
    parent_sid: null,
    direction: isInbound ? 'inbound' : 'outbound-api',
    status: 'queued',
    url: isInbound ? voiceUrl : url,
    url_method: method(form, 'Method'),
    fallback_url: homeAddress(form, 'FallbackUrl', publicBaseUrl),
    twiml: url === null ? twiml : null,
    status_callback: homeAddress(form, 'StatusCallback', publicBaseUrl),
    status_callback_method: method(form, 'StatusCallbackMethod'),
    status_callback_events: events(form),
    machine_detection: readMachineDetection(
      form,
      homeAddress(form, 'AsyncAmdStatusCallback', publicBaseUrl),
      method(form, 'AsyncAmdStatusCallbackMethod'),
    ),
    answered_by: null,
    ring_timeout_seconds: seconds(form, 'Timeout', 60, 1, 600),
    time_limit_seconds: seconds(form, 'TimeLimit', 14_400, 1, 86_400),
    queue_ms: 0,
    end_requested: null,
    line_seen_at: null,
    is_final_reported: false,
    start_time: null,
    end_time: null,
    duration_seconds: null,
    sip_response_code: null,
    failure: null,
    person: null,
    transcript: [],
    response_times_ms: [],
    created_at: at,
    updated_at: at,
  };
}

function homeAddress(form: URLSearchParams, name: string, publicBaseUrl: string): string | null {
  const url = form.get(name);
  if (url === null || url === '') return null;
  if (!URL.canParse(url)) throw new RestError(400, 21205, `${name} is not a valid URL`);
  if (!isAtHome(url, publicBaseUrl)) {
    throw new RestError(
      400,
      21205,
      `${name} must start with ${publicBaseUrl}/ because the sandbox phone calls no other host`,
    );
  }
  return url;
}

function method(form: URLSearchParams, name: string): 'GET' | 'POST' {
  const value = (form.get(name) ?? 'POST').toUpperCase();
  if (value !== 'GET' && value !== 'POST') throw invalidParameter(`${name} must be GET or POST`);
  return value;
}

/** With nothing subscribed only the final event is reported. */
function events(form: URLSearchParams): StatusEvent[] {
  const wanted = form.getAll('StatusCallbackEvent');
  const known = statusEvents.filter((event) => wanted.includes(event));
  if (wanted.some((event) => !statusEvents.some((one) => one === event))) {
    throw invalidParameter('StatusCallbackEvent must be initiated, ringing, answered or completed');
  }
  return known.length === 0 ? ['completed'] : known;
}

function seconds(form: URLSearchParams, name: string, standard: number, low: number, high: number): number {
  const text = form.get(name);
  if (text === null || text === '') return standard;
  if (!/^\d+$/.test(text)) throw invalidParameter(`${name} must be a whole number of seconds`);
  return Math.min(high, Math.max(low, Number(text)));
}
