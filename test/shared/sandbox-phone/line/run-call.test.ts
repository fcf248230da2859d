import { beforeEach, describe, expect, test } from 'vitest';
import type { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { accountSid, PhoneFixture } from '../phone-fixture.ts';
import { script } from '../scripted-agent.ts';
import { loudness, pitch } from '../sound/voice-measures.ts';

const fixture = await forThisFile(PhoneFixture.start());
beforeEach(() => fixture.reset());

const introduction =
  "Hello, this is an automated assistant calling on behalf of Maya Rivera. I'd like to schedule an appointment.";

describe('an answered call', () => {
  test('rings, talks, is recorded and reports everything, signed and in order', async () => {
    fixture.agent = script(introduction, 'July 12, 1984.', 'An existing patient.', 'The first one, please.');
    fixture.answers.set('/relay-end', () => ({
      status: 200,
      body: '<Response><Say>Thank you, goodbye.</Say><Hangup/></Response>',
    }));
    const sid = await fixture.place('+12025550100');
    await fixture.play({ speech: 'voices' });

    expect(fixture.callbacks.every(({ isSigned }) => isSigned)).toBe(true);
    expect(fixture.handshakes).toEqual([{ url: '/relay', isSigned: true }]);
    expect(fixture.statuses()).toEqual(['initiated', 'ringing', 'in-progress', 'completed']);
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
    // Natural length, although playing it took no time.
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
    // The person called is a man, the caller a woman.
    expect(pitch(person)).toBeLessThan(140);
    expect(pitch(agent)).toBeGreaterThan(150);
    const mono = await fixture.sound(recording?.RecordingSid ?? '', 1);
    expect(mono.channels).toHaveLength(1);
  });

  test('ended by the person is a completed session, with a normal close of the socket', async () => {
    fixture.agent = script('What are your office hours?', 'Thank you, that is all. Goodbye.');
    await fixture.place('+12025550103');
    await fixture.play();
    expect(fixture.formsOf('/relay-end')).toMatchObject([
      { SessionStatus: 'completed', CallStatus: 'completed' },
    ]);
    expect(fixture.statuses().at(-1)).toBe('completed');
    expect(fixture.closeCode).toBe(1000);
  });

  test('ends by itself if the caller stays silent, after two prompts', async () => {
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

  test('speaks a welcome greeting and tells the application what is heard if asked to', async () => {
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

  test('stores how long the application took to answer', async () => {
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

  test('loses queued speech when the application ends the session', async () => {
    fixture.agent = () => ({ say: 'Nobody hears this.', end: 'x' });
    const sid = await fixture.place('+12025550103');
    await fixture.play();
    expect((await fixture.call(sid)).transcript.map((line) => line.speaker)).toEqual(['person']);
  });

  test("hears an introduction from during the person's words along with the answer to them", async () => {
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

describe('an unanswered call', () => {
  test.each([
    ['+12025550110', ['initiated', 'busy'], '486'],
    ['+12025550111', ['initiated', 'ringing', 'no-answer'], '487'],
    ['+12025550113', ['initiated', 'failed'], '404'],
  ])('%s reports %j', async (number, expected, sipCode) => {
    const sid = await fixture.place(number);
    await fixture.play();
    expect(fixture.statuses()).toEqual(expected);
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
    const speakers = call.transcript.map(({ speaker }) => speaker);
    expect([...new Set(speakers)]).toEqual(['person', 'agent']);
    expect(call.status).toBe('completed');
  });
});

describe('a call ended from outside', () => {
  test('while it waits: it never rings', async () => {
    const sid = await fixture.place('+12025550100');
    expect((await fixture.request('POST', `/Calls/${sid}.json`, { Status: 'canceled' })).status).toBe(200);
    await fixture.play();
    expect(fixture.statuses()).toEqual(['canceled']);
  });

  test('in mid-conversation: the person and the application learn of it', async () => {
    const sid = await fixture.place('+12025550103');
    fixture.agent = (_, turn) => {
      if (turn === 1) void fixture.request('POST', `/Calls/${sid}.json`, { Status: 'completed' });
      return { say: 'What are your office hours?' };
    };
    await fixture.play({ pace: 0.02 });
    expect(fixture.statuses().at(-1)).toBe('completed');
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
