import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCall } from '#shared/sandbox-phone/line/run-call.ts';
import type { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import type { SandboxRecording } from '#shared/sandbox-phone/store/sandbox-recording.ts';
import { getItem, putItem, updateItem } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { newSid, rfc2822 } from '#shared/sandbox-phone/wire.ts';
import { accountSid, loudness, PhoneFixture, pitch, script } from '../phone-fixture.ts';

let fixture: PhoneFixture;
beforeAll(async () => {
  fixture = await PhoneFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.reset());

const introduction =
  "Hello, this is an automated assistant calling on behalf of Maya Rivera. I'd like to schedule an appointment.";

function statuses(): string[] {
  return fixture.formsOf('/status').map((form) => form.CallStatus ?? '');
}

describe('a call that is answered', () => {
  test('rings, talks, is recorded and reports everything, signed and in order', async () => {
    fixture.agent = script(introduction, 'July 12, 1984.', 'An existing patient.', 'The first one, please.');
    fixture.answers.set('/relay-end', () => ({
      status: 200,
      body: '<Response><Say>Thank you, goodbye.</Say><Hangup/></Response>',
    }));
    const sid = await fixture.place('+12025550100');
    await fixture.play();

    expect(fixture.callbacks.every(({ isSigned }) => isSigned)).toBe(true);
    expect(fixture.handshakes).toEqual([{ url: '/relay', isSigned: true }]);
    expect(statuses()).toEqual(['initiated', 'ringing', 'in-progress', 'completed']);
    expect(fixture.formsOf('/status').map((form) => form.SequenceNumber)).toEqual(['0', '1', '2', '3']);
    expect(fixture.formsOf('/recording').map((form) => form.RecordingStatus)).toEqual([
      'in-progress',
      'completed',
    ]);
    expect(fixture.formsOf('/answer')).toMatchObject([
      { CallSid: sid, CallStatus: 'in-progress', ToCity: '' },
    ]);
    const [end] = fixture.formsOf('/relay-end');
    expect(end).toMatchObject({
      SessionStatus: 'ended',
      CallStatus: 'in-progress',
      HandoffData: '{"outcome":"done"}',
    });
    expect(fixture.frames[0]).toMatchObject({
      type: 'setup',
      sessionId: end?.SessionId,
      callSid: sid,
      accountSid,
      customParameters: { token: 'a&b' },
    });

    const call = await fixture.call(sid);
    expect(call.transcript.map((line) => line.speaker)).toEqual([
      'person',
      'agent',
      'person',
      'agent',
      'person',
      'agent',
      'person',
      'agent',
      'person',
      'agent',
    ]);
    expect(call.transcript.at(-1)?.text).toBe('Thank you, goodbye.');
    for (const [index, line] of call.transcript.entries()) {
      expect(line.end_ms).toBeGreaterThan(line.start_ms);
      expect(line.start_ms).toBeGreaterThan(call.transcript[index - 1]?.end_ms ?? 0);
    }
    expect(call.person?.booked?.moment).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/);

    const final = fixture.formsOf('/status').at(-1);
    const recording = fixture.formsOf('/recording').at(-1);
    const seconds = Number(final?.CallDuration);
    expect(final).toMatchObject({ SipResponseCode: '200', Duration: String(Math.ceil(seconds / 60)) });
    // Natural length, though it took no time to play.
    expect(seconds).toBeGreaterThan(25);
    expect(Number(recording?.RecordingDuration)).toBe(seconds);
    const sound = await fixture.sound(recording?.RecordingSid ?? '', 2);
    expect(sound.sampleRate).toBe(8000);
    expect(sound.channels).toHaveLength(2);
    const [person = new Int16Array(), agent = new Int16Array()] = sound.channels;
    expect(person.length / 8000).toBeCloseTo(seconds, 0);
    for (const line of call.transcript) {
      const part = [Math.round(line.start_ms * 8), Math.round(line.end_ms * 8)] as const;
      const [own, other] = line.speaker === 'person' ? [person, agent] : [agent, person];
      expect(loudness(own.subarray(...part))).toBeGreaterThan(0.02);
      expect(loudness(other.subarray(...part))).toBe(0);
    }
    // A man is called, a woman calls.
    expect(pitch(person)).toBeLessThan(140);
    expect(pitch(agent)).toBeGreaterThan(150);
    const mono = await fixture.sound(recording?.RecordingSid ?? '', 1);
    expect(mono.channels).toHaveLength(1);
  });

  test('that the person ends is a completed session, with a plain close of the socket', async () => {
    fixture.agent = script('What are your office hours?', 'Thank you, that is all. Goodbye.');
    await fixture.place('+12025550103');
    await fixture.play();
    expect(fixture.formsOf('/relay-end')).toMatchObject([
      { SessionStatus: 'completed', CallStatus: 'completed' },
    ]);
    expect(statuses().at(-1)).toBe('completed');
    expect(fixture.closeCode).toBe(1000);
  });

  test('ends by itself when nobody speaks to the person, who asks twice before', async () => {
    const sid = await fixture.place('+12025550103');
    const { directory } = fixture.line;
    await fixture.play({
      directory: {
        ...directory,
        defaults: { ...directory.defaults, silence_ms: 300 },
      },
    });
    const call = await fixture.call(sid);
    expect(call.transcript).toHaveLength(4);
    expect(call.transcript.at(-1)?.text).toMatch(/goodbye/i);
    expect(call.status).toBe('completed');
  });

  test('speaks a welcome greeting itself and tells the application what is heard when it asks for that', async () => {
    fixture.answers.set('/answer', () => ({
      status: 200,
      body: fixture.answerDocument('welcomeGreeting="Hello there." events="speaker-events tokens-played"'),
    }));
    fixture.agent = script('What is your fax number?');
    const sid = await fixture.place('+12025550103');
    await fixture.play();
    expect((await fixture.call(sid)).transcript[1]).toMatchObject({ speaker: 'agent', text: 'Hello there.' });
    const info = fixture.frames
      .filter((frame) => frame.type === 'info')
      .map((frame) => `${frame.name} ${frame.value}`);
    expect(info).toContain('tokensPlayed What is your fax number?');
    expect(info.filter((text) => text.startsWith('agentSpeaking'))).toEqual([
      'agentSpeaking on',
      'agentSpeaking off',
      'agentSpeaking on',
      'agentSpeaking off',
    ]);
  });

  test('keeps how long the application took to answer what it was told', async () => {
    fixture.agent = (_, turn) =>
      turn === 0
        ? { say: 'What are your office hours?', after: 300 }
        : turn === 1
          ? { say: 'What is your fax number?' }
          : { end: '' };
    const sid = await fixture.place('+12025550103');
    await fixture.play();
    const { response_times_ms } = await fixture.call(sid);
    expect(response_times_ms).toHaveLength(3);
    const [slow = 0, ...quick] = response_times_ms;
    expect(slow).toBeGreaterThanOrEqual(299);
    for (const time of quick) expect(time).toBeLessThan(slow);
  });

  test('loses speech that was only queued when the application ended the session', async () => {
    fixture.agent = () => ({ say: 'Nobody hears this.', end: 'x' });
    const sid = await fixture.place('+12025550103');
    await fixture.play();
    expect((await fixture.call(sid)).transcript.map((line) => line.speaker)).toEqual(['person']);
  });

  test('hears an introduction that came while the person spoke together with the answer to what they said', async () => {
    fixture.onSetup = 'Hello, this is an automated assistant.';
    fixture.agent = (_, turn) =>
      turn === 0 ? { after: 60, say: 'What are your office hours?' } : { end: '' };
    const sid = await fixture.place('+12025550103');
    await fixture.play();
    expect((await fixture.call(sid)).transcript.map((line) => line.speaker)).toEqual([
      'person',
      'agent',
      'agent',
      'person',
    ]);
  });

  test('sends keys only to an application that listens to them', async () => {
    const pressed = async (attributes: string): Promise<unknown[]> => {
      fixture.reset();
      fixture.answers.set('/answer', () => ({ status: 200, body: fixture.answerDocument(attributes) }));
      fixture.agent = script('Please press one to go on.');
      await fixture.place('+12025550103');
      await fixture.play();
      return fixture.frames.filter((frame) => frame.type === 'dtmf').map((frame) => frame.digit);
    };
    expect(await pressed('dtmfDetection="true"')).toEqual(['1']);
    expect(await pressed('')).toEqual([]);
  });

  test('keeps its natural length at any pace', async () => {
    const sids: string[] = [];
    for (const pace of [0, 0.01]) {
      fixture.agent = script('What are your office hours?', 'What is your fax number?');
      sids.push(await fixture.place('+12025550103'));
      const started = performance.now();
      await fixture.play({ pace });
      const natural = (await fixture.call(sids.at(-1) ?? '')).duration_seconds ?? 0;
      expect(performance.now() - started).toBeGreaterThan(natural * 1000 * pace);
    }
    const [instant, paced] = await Promise.all(sids.map((sid) => fixture.call(sid)));
    expect(Math.abs((instant?.duration_seconds ?? 0) - (paced?.duration_seconds ?? 99))).toBeLessThanOrEqual(
      3,
    );
  });
});

describe('a call that reaches nobody', () => {
  test.each([
    ['+12025550110', ['initiated', 'busy'], '486'],
    ['+12025550111', ['initiated', 'ringing', 'no-answer'], '487'],
    ['+12025550113', ['initiated', 'failed'], '404'],
  ])('%s reports %j', async (number, expected, sipCode) => {
    const sid = await fixture.place(number);
    await fixture.play();
    expect(statuses()).toEqual(expected);
    expect(fixture.formsOf('/status').at(-1)).toMatchObject({ SipResponseCode: sipCode, CallDuration: '0' });
    expect(fixture.formsOf('/answer')).toEqual([]);
    const call = await fixture.call(sid);
    expect(call.status).toBe(expected.at(-1));
    expect(call.duration_seconds).toBe(0);
  });

  test('rings for exactly its timeout', async () => {
    const sid = await fixture.place('+12025550111', { Timeout: '33' });
    await fixture.play();
    const call = await fixture.call(sid);
    const rangFor = Date.parse(call.end_time ?? '') - Date.parse(call.start_time ?? '');
    expect(rangFor).toBeGreaterThanOrEqual(33_000);
    expect(rangFor).toBeLessThan(36_000);
  });

  test('a voicemail greets, listens and never answers', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: 'This is a message. Goodbye.' } : null);
    const sid = await fixture.place('+12025550112');
    const { directory } = fixture.line;
    const people = directory.personas.map(
      (person): PersonaFile => ({ ...person, manners: { ...person.manners, silence_ms: 300 } }),
    );
    await fixture.play({ directory: { ...directory, personas: people } });
    const call = await fixture.call(sid);
    expect(call.transcript.map((line) => line.speaker)).toEqual(['person', 'agent']);
    expect(call.status).toBe('completed');
  });
});

describe('a call that is ended from outside', () => {
  test('while it waits: nobody is rung', async () => {
    const sid = await fixture.place('+12025550100');
    expect((await fixture.request('POST', `/Calls/${sid}.json`, { Status: 'canceled' })).status).toBe(200);
    await fixture.play();
    expect(statuses()).toEqual(['canceled']);
  });

  test('in the middle of the conversation: the person and the application are told', async () => {
    const sid = await fixture.place('+12025550103');
    fixture.agent = (_, turn) => {
      if (turn === 1) void fixture.request('POST', `/Calls/${sid}.json`, { Status: 'completed' });
      return { say: 'What are your office hours?' };
    };
    await fixture.play({ pace: 0.02 });
    expect(statuses().at(-1)).toBe('completed');
    expect(fixture.formsOf('/relay-end')).toMatchObject([{ SessionStatus: 'completed' }]);
    expect(fixture.formsOf('/recording').at(-1)?.RecordingStatus).toBe('completed');
    const late = await fixture.request('POST', `/Calls/${sid}.json`, { Status: 'completed' });
    expect(late.status).toBe(400);
    expect(await late.json()).toMatchObject({ code: 21220, status: 400 });
  });

  test('by its time limit', async () => {
    fixture.agent = () => ({ say: 'What are your office hours?' });
    const sid = await fixture.place('+12025550103', { TimeLimit: '12' });
    await fixture.play();
    const call = await fixture.call(sid);
    expect(call.status).toBe('completed');
    expect(call.duration_seconds).toBeLessThan(30);
  });
});

describe('an application that misbehaves', () => {
  test('a document with an unknown attribute fails the call and says why', async () => {
    fixture.answers.set('/answer', () => ({
      status: 200,
      body: '<Response><Say volume="loud">Hi</Say></Response>',
    }));
    const sid = await fixture.place('+12025550100');
    await fixture.play();
    expect(statuses().at(-1)).toBe('failed');
    expect((await fixture.call(sid)).failure).toBe('Say has the unknown attribute volume');
  });

  test('a document that leads to another host or relay is refused', async () => {
    for (const [from, to] of [
      [fixture.relayUrl, 'ws://127.0.0.1:1/relay'],
      [`${fixture.baseUrl}/relay-end`, 'http://127.0.0.1:1/relay-end'],
      [`${fixture.baseUrl}/recording`, 'http://127.0.0.1:1/recording'],
    ] as const) {
      fixture.reset();
      fixture.answers.set('/answer', () => ({
        status: 200,
        body: fixture.answerDocument().replace(from, to),
      }));
      await fixture.place('+12025550100');
      await fixture.play();
      expect(statuses().at(-1)).toBe('failed');
      expect(fixture.handshakes).toEqual([]);
    }
  });

  test('an inline document is held to the same rules', async () => {
    const relay = 'ws://127.0.0.1:1/relay';
    for (const [twiml, status] of [
      ['<Response><Say>Hello.</Say></Response>', 'completed'],
      [`<Response><Connect><ConversationRelay url="${relay}"/></Connect></Response>`, 'failed'],
    ] as const) {
      const sid = await fixture.place('+12025550100', { Url: '', Twiml: twiml });
      await fixture.play();
      expect((await fixture.call(sid)).status).toBe(status);
    }
  });

  test('an answer that is not a document fails the call, unless there is a fallback', async () => {
    fixture.answers.set('/answer', () => ({ status: 502, body: '{"message":"Internal server error"}' }));
    await fixture.place('+12025550100');
    await fixture.play();
    expect(statuses().at(-1)).toBe('failed');
    fixture.answers.set('/fallback', () => ({ status: 200, body: '<Response><Say>Sorry.</Say></Response>' }));
    await fixture.place('+12025550100', { FallbackUrl: `${fixture.baseUrl}/fallback` });
    await fixture.play();
    expect(statuses().at(-1)).toBe('completed');
  });

  test('a relay that refuses is a failed session, and its action may still speak', async () => {
    fixture.isRelayOpen = false;
    fixture.answers.set('/relay-end', () => ({
      status: 200,
      body: '<Response><Say>Sorry.</Say></Response>',
    }));
    const sid = await fixture.place('+12025550100');
    await fixture.play();
    expect(fixture.formsOf('/relay-end')).toMatchObject([
      { SessionStatus: 'failed', ErrorCode: '64102', CallStatus: 'in-progress' },
    ]);
    expect((await fixture.call(sid)).transcript.map((line) => line.text)).toEqual(['Sorry.']);
  });

  test('a relay that breaks off can be connected again', async () => {
    let connections = 0;
    fixture.answers.set('/relay-end', (form) => ({
      status: 200,
      body:
        form.SessionStatus === 'failed'
          ? fixture.answerDocument().replace(/<Start>.*<\/Start>/s, '')
          : '<Response/>',
    }));
    fixture.agent = (heard) => {
      connections += 1;
      if (connections === 1) return { close: 1011 };
      return heard.includes('?') ? { end: '' } : { say: 'Are you still there?' };
    };
    await fixture.place('+12025550103');
    const { directory } = fixture.line;
    await fixture.play({ directory: { ...directory, defaults: { ...directory.defaults, silence_ms: 300 } } });
    expect(
      fixture.formsOf('/relay-end').map((form) => `${form.SessionStatus} ${form.ErrorCode ?? ''}`),
    ).toEqual(['failed 64105', 'ended ']);
    expect(statuses().at(-1)).toBe('completed');
  });

  test('bad frames are answered with an error, ten in a row end the session', async () => {
    const gatewayError = JSON.stringify({
      message: 'Internal server error',
      connectionId: 'a',
      requestId: 'b',
    });
    fixture.agent = (_, turn) =>
      turn === 0
        ? {
            raw: [
              gatewayError,
              '{"type":"text"}',
              'not json',
              '{"type":"text","token":"What are your office hours?","last":true}',
            ],
          }
        : { raw: Array.from({ length: 10 }, () => '{"type":"interrupt"}') };
    await fixture.place('+12025550103');
    await fixture.play();
    expect(fixture.frames.filter((frame) => frame.type === 'error')).toHaveLength(13);
    expect(fixture.formsOf('/relay-end')).toMatchObject([{ SessionStatus: 'failed', ErrorCode: '64105' }]);
    await expect.poll(() => fixture.closeCode).toBe(1007);
  });

  test('a failing status callback is repeated only as often as its address asks for', async () => {
    const seen: string[] = [];
    fixture.answers.set('/status', (form) => {
      seen.push(form.CallStatus ?? '');
      return { status: 503 };
    });
    await fixture.place('+12025550113', { StatusCallback: `${fixture.baseUrl}/status#rc=2&rp=5xx` });
    await fixture.play();
    expect(seen).toEqual(['initiated', 'initiated', 'initiated', 'failed', 'failed', 'failed']);
    expect(fixture.callbacks.every(({ isSigned }) => isSigned)).toBe(true);
    expect(
      fixture.callbacks.map(({ headers }) => headers['i-twilio-idempotency-token'] !== undefined),
    ).toEqual([false, true, true, false, true, true]);
    seen.length = 0;
    await fixture.place('+12025550113');
    await fixture.play();
    expect(seen).toEqual(['initiated', 'failed']);
  });
});

describe('a message that is delivered twice', () => {
  test('plays its call once', async () => {
    fixture.agent = script();
    const sid = await fixture.place('+12025550103');
    await fixture.play();
    const before = fixture.callbacks.length;
    await runCall(fixture.line, sid);
    expect(fixture.callbacks).toHaveLength(before);
    expect(fixture.handshakes).toHaveLength(1);
  });

  test('leaves the call alone while it is being played, and comes again when its line would have died', async () => {
    const sid = await fixture.place('+12025550103');
    fixture.agent = (_, turn) => (turn === 0 ? { say: 'What are your office hours?' } : { end: '' });
    const playing = fixture.play({ pace: 0.02 });
    await expect.poll(() => fixture.frames.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await runCall(fixture.line, sid);
    expect(await fixture.delayedMessages()).toBe(1);
    await playing;
    expect(fixture.handshakes).toHaveLength(1);
    expect((await fixture.call(sid)).status).toBe('completed');
  });

  test('closes a call as failed whose line died, and reports that', async () => {
    const sid = await fixture.place('+12025550103');
    await updateItem(fixture.store, 'call', sid, {
      status: 'in-progress',
      line_seen_at: new Date(Date.now() - 120_000).toISOString(),
    });
    await fixture.play();
    expect(statuses()).toEqual(['failed']);
    expect(fixture.formsOf('/status')[0]?.SequenceNumber).toBe('3');
    expect(await getItem(fixture.store, 'call', sid)).toMatchObject({
      status: 'failed',
      failure: 'line-died',
    });
    expect(fixture.handshakes).toEqual([]);
  });

  test('closes the recordings of a call whose line died, and leaves those whose sound is there', async () => {
    const sid = await fixture.place('+12025550103');
    const lineSeenAt = new Date(Date.now() - 30_000).toISOString();
    await updateItem(fixture.store, 'call', sid, { status: 'in-progress', line_seen_at: lineSeenAt });
    const recording: SandboxRecording = {
      sid: newSid('RE'),
      type: 'recording',
      account_sid: accountSid,
      call_sid: sid,
      status: 'in-progress',
      channels: 2,
      track: 'both',
      source: 'StartCallRecordingTwiML',
      start_time: rfc2822(new Date()),
      duration_seconds: null,
      error_code: null,
      dual_key: null,
      mono_key: null,
      created_at: lineSeenAt,
      updated_at: lineSeenAt,
    };
    const whole: SandboxRecording = { ...recording, sid: newSid('RE'), status: 'completed' };
    await putItem(fixture.store, recording);
    await putItem(fixture.store, whole);
    await fixture.play();
    expect(await getItem(fixture.store, 'recording', recording.sid)).toMatchObject({ status: 'absent' });
    expect(await getItem(fixture.store, 'recording', whole.sid)).toMatchObject({ status: 'completed' });
  });
});

describe('somebody who calls a number of the account', () => {
  const own = '+12025550199';

  async function callIn(answers: string): Promise<string> {
    fixture.answers.set('/inbound', (form) => ({
      status: 200,
      body: form.DialCallStatus === undefined ? answers : '<Response><Say>Sorry.</Say><Hangup/></Response>',
    }));
    const response = await fixture.request('POST', '/Calls.json', { To: own, From: '+12025550177' });
    expect(response.status).toBe(201);
    const { sid, direction }: { sid: string; direction: string } = Object(await response.json());
    expect(direction).toBe('inbound');
    await fixture.play();
    return sid;
  }

  test('hears what the voice URL of the number answers', async () => {
    const sid = await callIn('<Response><Say>Please call the office.</Say><Hangup/></Response>');
    expect(fixture.callbacks.every(({ isSigned }) => isSigned)).toBe(true);
    expect(fixture.formsOf('/inbound')).toMatchObject([
      { CallSid: sid, Direction: 'inbound', CallStatus: 'ringing', From: '+12025550177', To: own },
    ]);
    const call = await fixture.call(sid);
    expect(call.status).toBe('completed');
    expect(call.transcript.map(({ text }) => text)).toEqual(['Please call the office.']);
  });

  test.each([
    ['+12025550103', 'completed', { DialCallDuration: '20', DialBridged: 'true' }],
    ['+12025550110', 'busy', {}],
    ['+12025550111', 'no-answer', {}],
    ['+12025550113', 'failed', {}],
  ])('is forwarded to %s, which is then %s', async (number, status, more) => {
    const action = `${fixture.baseUrl}/inbound`;
    const sid = await callIn(`<Response><Dial action="${action}" timeout="20">${number}</Dial></Response>`);
    expect(fixture.formsOf('/inbound')[1]).toMatchObject({
      CallSid: sid,
      CallStatus: 'in-progress',
      DialCallStatus: status,
      ...more,
    });
    const list = await fixture.request('GET', `/Calls.json?ParentCallSid=${sid}`);
    expect(Object(await list.json()).calls).toMatchObject([
      { to: number, from: '+12025550177', status, direction: 'outbound-dial', parent_call_sid: sid },
    ]);
  });

  test('is not forwarded with an action that leads elsewhere', async () => {
    const sid = await callIn(
      '<Response><Dial action="https://elsewhere.test/">+12025550103</Dial></Response>',
    );
    expect(await fixture.call(sid)).toMatchObject({ status: 'failed' });
  });
});
