import { describe, expect, test } from 'vitest';
import { callbackUrl, parseCallback } from '#shared/carrier/callbacks.ts';
import { CarrierEvent } from '#shared/domain/carrier-event.ts';

const callSid = `CA${'0'.repeat(31)}a`;
const recordingSid = `RE${'0'.repeat(30)}b1`;
const taskId = '01890a5d-ac96-774b-bcce-b302099a8057';
const callId = '01890a5d-ac96-774b-bcce-b302099a8058';

function form(text: string): URLSearchParams {
  return new URLSearchParams(text);
}

describe('a callback address', () => {
  test('names the call and asks for retries in its fragment', () => {
    const url = new URL(callbackUrl('https://api.example.test/prod', 'status', taskId, callId));
    expect(url.pathname).toBe(`/prod/carrier/status/${taskId}/${callId}`);
    expect(url.search).toBe('');
    expect(Object.fromEntries(new URLSearchParams(url.hash.slice(1)))).toEqual({ rc: '3', rp: '5xx,ct,rt' });
  });
});

describe('a status callback', () => {
  const base = `CallSid=${callSid}&AccountSid=AC1&From=%2B12025550101&To=%2B12025550143&Direction=outbound-api`;

  test('has the reason and the talk time in seconds if final', () => {
    const event = parseCallback(
      'status',
      form(
        `${base}&CallStatus=no-answer&ApiVersion=2010-04-01&SipResponseCode=487&CallDuration=0&Duration=0` +
          '&Timestamp=Fri%2C+20+Nov+2026+15%3A04%3A05+%2B0000&CallbackSource=call-progress-events&SequenceNumber=2',
      ),
    );
    expect(event).toEqual({
      type: 'progress',
      progress: 'no_answer',
      carrier_call_sid: callSid,
      sequence: 2,
      sip_response_code: '487',
      talk_seconds: 0,
    });
  });

  test('never reads billing minutes as seconds', () => {
    const event = parseCallback('status', form(`${base}&CallStatus=completed&Duration=1&SequenceNumber=3`));
    expect(event).toMatchObject({ progress: 'completed', talk_seconds: null });
  });

  test.each([
    ['queued', 'queued'],
    ['initiated', 'initiated'],
    ['ringing', 'ringing'],
    ['in-progress', 'answered'],
    ['completed', 'completed'],
    ['busy', 'busy'],
    ['no-answer', 'no_answer'],
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ])('%s means %s', (status, progress) => {
    const event = parseCallback('status', form(`${base}&CallStatus=${status}&SequenceNumber=1&New=x`));
    expect(event).toMatchObject({ progress });
  });

  test('puts nothing that identifies a person into the event', () => {
    const event = parseCallback(
      'status',
      form(`${base}&CallStatus=completed&CallerName=Jane+Canary&ToCity=CANARY&SequenceNumber=3`),
    );
    expect(CarrierEvent.parse(event)).toEqual(event);
    expect(JSON.stringify(event)).not.toMatch(/canary|2025550/i);
  });
});

test('the request for the answer document counts as an answer', () => {
  expect(parseCallback('answer', form(`CallSid=${callSid}&CallStatus=in-progress`))).toMatchObject({
    progress: 'answered',
    sequence: 0,
  });
});

describe('the verdict of answering-machine detection', () => {
  const base = `CallSid=${callSid}&AccountSid=AC1&MachineDetectionDuration=3120`;

  test.each([
    ['human', 'human'],
    ['machine_start', 'machine'],
    ['machine_end_beep', 'machine'],
    ['machine_end_silence', 'machine'],
    ['machine_end_other', 'machine'],
    ['fax', 'fax'],
    ['unknown', 'unknown'],
    ['a_word_of_tomorrow', 'unknown'],
    ['constructor', 'unknown'],
    ['', 'unknown'],
  ])('%j means %s', (word, answeredBy) => {
    const event = parseCallback('amd', form(`${base}&AnsweredBy=${word}`));
    expect(event).toEqual({ type: 'answered-by', carrier_call_sid: callSid, answered_by: answeredBy });
    expect(CarrierEvent.parse(event)).toEqual(event);
  });
});

test('a recording callback names its recording, and its address is not trusted', () => {
  const event = parseCallback(
    'recording',
    form(
      `CallSid=${callSid}&RecordingSid=${recordingSid}&RecordingStatus=completed&RecordingDuration=41` +
        '&RecordingUrl=https%3A%2F%2Fevil.example.com%2F&RecordingSource=SourceOfTomorrow&ErrorCode=0',
    ),
  );
  expect(event).toEqual({
    type: 'recording',
    carrier_call_sid: callSid,
    status: 'completed',
    recording_sid: recordingSid,
  });
});

test.each(['ended', 'completed', 'failed'])('a session that %s', (status) => {
  const event = parseCallback(
    'relay-end',
    form(`CallSid=${callSid}&CallStatus=in-progress&SessionStatus=${status}&SessionDuration=38`),
  );
  expect(event).toEqual({ type: 'session-ended', carrier_call_sid: callSid, session_status: status });
});

test.each([
  ['64105', { error_code: '64105' }],
  ['0', {}],
  ['', {}],
  ['E-1', {}],
])('an error code %j is used if valid, and loses no callback otherwise', (code, taken) => {
  const session = `CallSid=${callSid}&SessionStatus=failed&ErrorCode=${code}`;
  expect(parseCallback('relay-end', form(session))).toEqual({
    type: 'session-ended',
    carrier_call_sid: callSid,
    session_status: 'failed',
    ...taken,
  });
  const end = parseCallback('status', form(`CallSid=${callSid}&CallStatus=failed&ErrorCode=${code}`));
  expect(end).toEqual(expect.objectContaining({ progress: 'failed', ...taken }));
  expect(end !== null && 'error_code' in end).toBe('error_code' in taken);
});

test.each([
  ['status', ''],
  ['status', '%%%=%'],
  ['status', `CallSid=${callSid}&CallStatus=exploded`],
  ['status', 'CallSid=CA1&CallStatus=completed'],
  ['status', `CallSid=${callSid}&CallStatus=completed&SequenceNumber=-1`],
  ['status', `CallSid=${callSid}&CallStatus=completed&CallDuration=1e9`],
  ['amd', `CallSid=${callSid}&MachineDetectionDuration=3120`],
  ['amd', 'CallSid=CA1&AnsweredBy=human'],
  ['recording', `CallSid=${callSid}&RecordingStatus=completed&RecordingSid=../../x`],
  ['recording', `CallSid=${callSid}&RecordingSid=${recordingSid}`],
  ['relay-end', `CallSid=${callSid}`],
  ['relay-end', '__proto__=1&constructor=2'],
] as const)('garbage is no event: %s %s', (kind, text) => {
  expect(parseCallback(kind, form(text))).toBeNull();
});
