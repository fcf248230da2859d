import twilio from 'twilio';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { forwardDocument } from '#shared/carrier/answer-document.ts';
import { type CallbackKind, parseCallback, parseInboundCall } from '#shared/carrier/callbacks.ts';
import {
  accountSid,
  authToken,
  type Callback,
  caller,
  PhoneFixture,
} from '../shared/sandbox-phone/phone-fixture.ts';
import { script } from '../shared/sandbox-phone/scripted-agent.ts';

/*
 * No machine-readable document describes the carrier's requests to us. These are the parameters in its reference, each
 * with its format. A request of the sandbox phone has all required ones and no unlisted one, and our side understands
 * it.
 */

const text = (pattern: RegExp) => z.string().check(z.regex(pattern));
const sid = (prefix: string) => text(new RegExp(`^${prefix}[0-9a-f]{32}$`));
const number = text(/^\+[1-9]\d{1,14}$/);
const whole = text(/^\d+$/);
const date = text(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} \+0000$/);
const finals = ['completed', 'busy', 'no-answer', 'failed', 'canceled'] as const;

/** Of every request about a call (twilio.com/docs/voice/twiml#request-parameters). */
const aboutCall = {
  CallSid: sid('CA'),
  AccountSid: z.literal(accountSid),
  From: z.literal(caller),
  To: number,
  ApiVersion: z.literal('2010-04-01'),
  Direction: z.literal('outbound-api'),
  ForwardedFrom: z.optional(number),
  CallerName: z.optional(z.string()),
  ParentCallSid: z.optional(sid('CA')),
  Called: z.optional(number),
  Caller: z.optional(z.literal(caller)),
  ...Object.fromEntries(
    ['From', 'To', 'Caller', 'Called'].flatMap((party) =>
      ['City', 'State', 'Zip', 'Country'].map((place) => [`${party}${place}`, z.optional(z.string())]),
    ),
  ),
};

/** Of every report about a call's progress (twilio.com/docs/voice/api/call-resource#statuscallback). */
const aboutProgress = {
  ...aboutCall,
  Timestamp: date,
  CallbackSource: z.literal('call-progress-events'),
  SequenceNumber: whole,
  SipResponseCode: z.optional(text(/^[1-6]\d{2}$/)),
  AnsweredBy: z.optional(z.string()),
};
const stirStatus = z.optional(z.enum(['A', 'B', 'C']));

const status = z.discriminatedUnion('CallStatus', [
  z.strictObject({ ...aboutProgress, CallStatus: z.literal('initiated') }),
  z.strictObject({
    ...aboutProgress,
    CallStatus: z.enum(['ringing', 'in-progress']),
    StirStatus: stirStatus,
  }),
  z.strictObject({
    ...aboutProgress,
    CallStatus: z.enum(finals),
    StirStatus: stirStatus,
    CallDuration: whole,
    Duration: whole,
  }),
]);

/** The request for the answer document (twilio.com/docs/voice/twiml#request-parameters). */
const answer = z.strictObject({ ...aboutCall, CallStatus: z.literal('in-progress'), StirStatus: stirStatus });

/** The detection verdict during the conversation; no numbers (twilio.com/docs/voice/answering-machine-detection). */
const amd = z.strictObject({
  CallSid: sid('CA'),
  AccountSid: z.literal(accountSid),
  AnsweredBy: z.enum(['human', 'machine_start', 'fax', 'unknown']),
  MachineDetectionDuration: whole,
});

/** The end of a session (twilio.com/docs/voice/twiml/connect/conversationrelay#end-session). */
const aboutSession = { ...aboutCall, SessionId: sid('VX'), SessionDuration: whole };
const relayEnd = z.discriminatedUnion('SessionStatus', [
  z.strictObject({
    ...aboutSession,
    SessionStatus: z.literal('ended'),
    CallStatus: z.literal('in-progress'),
    HandoffData: z.optional(z.string()),
  }),
  z.strictObject({
    ...aboutSession,
    SessionStatus: z.literal('completed'),
    CallStatus: z.literal('completed'),
  }),
  z.strictObject({
    ...aboutSession,
    SessionStatus: z.literal('failed'),
    CallStatus: z.literal('in-progress'),
    ErrorCode: whole,
    ErrorMessage: z.string(),
  }),
]);

/** The state of a recording (twilio.com/docs/voice/twiml/recording#recordingstatuscallback). */
const aboutRecording = {
  AccountSid: z.literal(accountSid),
  CallSid: sid('CA'),
  RecordingSid: sid('RE'),
  // Without an extension.
  RecordingUrl: text(/^https?:\/\/\S+\/2010-04-01\/Accounts\/AC[0-9a-f]{32}\/Recordings\/RE[0-9a-f]{32}$/),
  RecordingChannels: z.enum(['1', '2']),
  RecordingStartTime: date,
  RecordingSource: z.literal('StartCallRecordingTwiML'),
  RecordingTrack: z.enum(['inbound', 'outbound', 'both']),
};
const recording = z.discriminatedUnion('RecordingStatus', [
  z.strictObject({ ...aboutRecording, RecordingStatus: z.literal('in-progress'), ErrorCode: z.literal('0') }),
  z.strictObject({
    ...aboutRecording,
    RecordingStatus: z.literal('completed'),
    ErrorCode: z.literal('0'),
    RecordingDuration: whole,
  }),
  z.strictObject({
    ...aboutRecording,
    RecordingStatus: z.literal('absent'),
    ErrorCode: z.enum(['16101', '16102']),
    RecordingDuration: z.optional(whole),
  }),
]);

/** A person who calls a number of the account (twilio.com/docs/voice/twiml#request-parameters). */
const aboutInbound = {
  ...aboutCall,
  From: number,
  Caller: z.optional(number),
  Direction: z.literal('inbound'),
};
const inbound = z.strictObject({ ...aboutInbound, CallStatus: z.literal('ringing'), StirStatus: stirStatus });

/** How a forwarded call ended (twilio.com/docs/voice/twiml/dial#request-parameters). */
const dialled = {
  ...aboutInbound,
  CallStatus: z.literal('in-progress'),
  DialCallSid: sid('CA'),
  DialBridged: z.optional(z.enum(['true', 'false'])),
};
const forwarded = z.discriminatedUnion('DialCallStatus', [
  z.strictObject({ ...dialled, DialCallStatus: z.literal('completed'), DialCallDuration: whole }),
  z.strictObject({ ...dialled, DialCallStatus: z.enum(['busy', 'no-answer', 'failed']) }),
]);

const formOf = { status, answer, amd, recording, 'relay-end': relayEnd } satisfies Record<
  CallbackKind,
  object
>;

const kindOf: Readonly<Record<string, CallbackKind>> = {
  '/status': 'status',
  '/answer': 'answer',
  '/amd': 'amd',
  '/recording': 'recording',
  '/relay-end': 'relay-end',
};

let fixture: PhoneFixture;
beforeAll(async () => {
  fixture = await PhoneFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.reset());

/** Plays a call that requests every report; returns the requests to the application. */
async function callbacksOf(to: string): Promise<readonly Callback[]> {
  await fixture.place(to, {
    MachineDetection: 'Enable',
    AsyncAmd: 'true',
    AsyncAmdStatusCallback: `${fixture.baseUrl}/amd`,
  });
  await fixture.play({ speech: 'tones' });
  return fixture.callbacks;
}

function expectInOrder(callback: Callback): void {
  const kind = kindOf[callback.path];
  if (kind === undefined) throw new Error(`no such callback: ${callback.path}`);
  const checked = z.safeParse(formOf[kind], callback.form);
  expect({ kind, form: callback.form, faults: checked.error?.issues ?? [] }).toEqual({
    kind,
    form: callback.form,
    faults: [],
  });
  expect(parseCallback(kind, new URLSearchParams(callback.form))).toMatchObject({
    carrier_call_sid: callback.form.CallSid,
  });
  const url = `${fixture.baseUrl}${callback.path}`;
  const signature = String(callback.headers['x-twilio-signature']);
  expect(twilio.validateRequest(authToken, signature, url, { ...callback.form })).toBe(true);
  expect(twilio.validateRequest('f'.repeat(32), signature, url, { ...callback.form })).toBe(false);
  expect(callback.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
}

describe("the sandbox phone's requests match the carrier's documentation and our parser", () => {
  test.each([
    ['somebody who answers', '+12025550103', ['initiated', 'ringing', 'in-progress', 'completed']],
    ['a busy line', '+12025550110', ['initiated', 'busy']],
    ['nobody', '+12025550111', ['initiated', 'ringing', 'no-answer']],
    ['a voicemail', '+12025550112', ['initiated', 'ringing', 'in-progress', 'completed']],
    ['a number out of service', '+12025550113', ['initiated', 'failed']],
    ['a menu', '+12025550114', ['initiated', 'ringing', 'in-progress', 'completed']],
    ['somebody who hangs up', '+12025550116', ['initiated', 'ringing', 'in-progress', 'completed']],
  ])('for a call to %s', async (_, to, statuses) => {
    fixture.agent = script('What are your office hours?', 'And on Saturdays?', 'Thank you.');
    const callbacks = await callbacksOf(to);
    for (const callback of callbacks) expectInOrder(callback);
    const reports = fixture.formsOf('/status');
    expect(reports.map(({ CallStatus }) => CallStatus)).toEqual(statuses);
    expect(reports.map(({ SequenceNumber }) => SequenceNumber)).toEqual(
      reports.map((__, place) => String(place)),
    );
    const { CallDuration, Duration } = reports.at(-1) ?? {};
    expect(Number(Duration)).toBe(Math.ceil(Number(CallDuration) / 60));
    const isAnswered = statuses.includes('in-progress');
    expect(fixture.formsOf('/answer')).toHaveLength(isAnswered ? 1 : 0);
    expect(fixture.formsOf('/amd')).toHaveLength(isAnswered ? 1 : 0);
    expect(fixture.formsOf('/relay-end')).toHaveLength(isAnswered ? 1 : 0);
    expect(fixture.formsOf('/recording').map(({ RecordingStatus }) => RecordingStatus)).toEqual(
      isAnswered ? ['in-progress', 'completed'] : [],
    );
  });

  test('for a conversation that breaks off', async () => {
    fixture.agent = () => ({ close: 1011 });
    for (const callback of await callbacksOf('+12025550103')) expectInOrder(callback);
    expect(fixture.formsOf('/relay-end')).toMatchObject([{ SessionStatus: 'failed' }]);
  });

  test('for a call that is canceled before its dial', async () => {
    const sid = await fixture.place('+12025550103');
    await fixture.request('POST', `/Calls/${sid}.json`, { Status: 'canceled' });
    await fixture.play();
    for (const callback of fixture.callbacks) expectInOrder(callback);
    expect(fixture.formsOf('/status')).toMatchObject([{ CallStatus: 'canceled' }]);
  });
});

describe("the sandbox phone's requests for an inbound call", () => {
  test.each([
    ['somebody who answers', '+12025550103', 'over'],
    ['a busy line', '+12025550110', 'unreached'],
    ['nobody', '+12025550111', 'unreached'],
    ['a number out of service', '+12025550113', 'unreached'],
  ])('that is forwarded to %s', async (_, to, forwarding) => {
    const own = '+12025550199';
    fixture.answers.set('/inbound', ({ DialCallStatus }) => ({
      status: 200,
      body:
        DialCallStatus === undefined
          ? forwardDocument(fixture.baseUrl, to).replace('/carrier/inbound', '/inbound')
          : '<Response><Hangup/></Response>',
    }));
    await fixture.request('POST', '/Calls.json', { To: own, From: '+12025550177' });
    await fixture.play({ speech: 'tones' });
    const [asked, ended] = fixture.formsOf('/inbound');
    expect(z.safeParse(inbound, asked).error).toBeUndefined();
    expect(z.safeParse(forwarded, ended).error).toBeUndefined();
    const read = (form = {}) => parseInboundCall(new URLSearchParams(form));
    expect(read(asked)).toMatchObject({ to: own, forwarding: null });
    expect(read(ended)).toMatchObject({ to: own, forwarding });
    expect(fixture.callbacks.every(({ isSigned }) => isSigned)).toBe(true);
  });
});

test('a missing, misspelled or malformed parameter is detected', async () => {
  await callbacksOf('+12025550110');
  const [first] = fixture.formsOf('/status');
  if (first === undefined) throw new Error('nothing was reported');
  const { CallSid, ...rest } = first;
  for (const form of [rest, { ...first, CallSID: CallSid }, { ...first, Timestamp: '2026-03-02' }]) {
    expect(z.safeParse(status, form).success).toBe(false);
  }
});
