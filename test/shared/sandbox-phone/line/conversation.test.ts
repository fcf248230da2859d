import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LineServices } from '#shared/sandbox-phone/line/line-services.ts';
import { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { bundledDirectory } from '#shared/sandbox-phone/personas/directory.ts';
import type { SandboxCall } from '#shared/sandbox-phone/store/sandbox-call.ts';
import { loudness, PhoneFixture } from '../phone-fixture.ts';

let fixture: PhoneFixture;
beforeAll(async () => {
  fixture = await PhoneFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.reset());

const number = '+12025550150';

/** Everybody, and somebody of one's own at `number`. */
function somebody(members: object): Partial<LineServices> {
  const { personas, defaults } = bundledDirectory();
  const person = PersonaFile.parse({
    id: 'somebody',
    about: 'For this test.',
    numbers: [number],
    name: 'Ines',
    business: 'Hilltop Clinic',
    voice: 'rms',
    ring_ms: [0, 100],
    greeting: ['Hello, this is Ines.'],
    ...members,
  });
  return { speech: 'tones', directory: { personas: [person, ...personas], defaults } };
}

async function play(members: object, pace = 0): Promise<SandboxCall> {
  const sid = await fixture.place(number);
  await fixture.play({ ...somebody(members), pace });
  return fixture.call(sid);
}

function framesOf(...types: string[]): Record<string, unknown>[] {
  return fixture.frames.filter(({ type }) => types.includes(type));
}

function prompts(): string[] {
  return framesOf('prompt').map(({ voicePrompt }) => String(voicePrompt));
}

async function channels(): Promise<readonly [person: Int16Array, agent: Int16Array]> {
  const sid = fixture.formsOf('/recording').at(-1)?.RecordingSid ?? '';
  const [person = new Int16Array(), agent = new Int16Array()] = (await fixture.sound(sid, 2)).channels;
  return [person, agent];
}

function part(samples: Int16Array, fromMs: number, toMs: number): Int16Array {
  return samples.subarray(Math.round(fromMs * 8), Math.round(toMs * 8));
}

const office = { desks: [{ borrowed_from: 'office-manager' }] };

describe('a person who speaks up', () => {
  const interrupting = {
    ...office,
    temper: {
      interrupts: { likelihood: 1, after_words: [4, 4], at_most: 1, says: ['Sorry, who is this?'] },
    },
  };
  const long = 'Good morning, this is R &amp; D calling to ask about quite a number of things today.';

  test('cuts the agent after some words: the rest is never said, and the application is told how far it came', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: long } : { end: '' });
    const call = await play(interrupting);
    expect(framesOf('prompt', 'interrupt').map(({ type }) => type)).toEqual([
      'prompt',
      'interrupt',
      'prompt',
    ]);
    const [interrupt] = framesOf('interrupt');
    expect(interrupt).toEqual({
      type: 'interrupt',
      utteranceUntilInterrupt: 'Good morning, this is',
      durationUntilInterruptMs: 1500,
    });
    expect(prompts().at(-1)).toContain('Sorry, who is this?');
    const [, cut, reply] = call.transcript;
    expect(cut).toMatchObject({ speaker: 'agent', text: 'Good morning, this is' });
    expect(reply?.start_ms).toBe(cut?.end_ms);
    const [person, agent] = await channels();
    expect(loudness(part(agent, cut?.start_ms ?? 0, cut?.end_ms ?? 0))).toBeGreaterThan(0.02);
    expect(loudness(agent.subarray((cut?.end_ms ?? 0) * 8))).toBe(0);
    expect(loudness(part(person, reply?.start_ms ?? 0, reply?.end_ms ?? 0))).toBeGreaterThan(0.02);
  });

  test('is quoted in the words that were spoken, not in their escaped form', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: long } : { end: '' });
    await play({
      ...interrupting,
      temper: { interrupts: { ...interrupting.temper.interrupts, after_words: [7, 7] } },
    });
    expect(framesOf('interrupt')[0]?.utteranceUntilInterrupt).toBe('Good morning, this is R & D');
  });

  test('lets the agent finish what is no longer than that', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: 'Hello, good morning, Ines.' } : { end: '' });
    await play(interrupting);
    expect(framesOf('interrupt')).toEqual([]);
  });

  const tokens = ['One two three. ', 'Four five', ' six. ', 'Seven ', 'eight. ', 'Nine ', 'ten.'];

  test.each([
    ['goes on all the same', false, true],
    ['stops and leaves it open', true, false],
  ])('cuts words that are still coming from an application that %s', async (_, isCut, closes) => {
    fixture.agent = (_heard, turn) =>
      turn === 0
        ? { tokens, everyMs: 60, closes, isCut }
        : turn === 1
          ? { say: 'What are your office hours?' }
          : { end: '' };
    const call = await play(interrupting);
    expect(framesOf('interrupt')).toMatchObject([{ utteranceUntilInterrupt: 'One two three. Four' }]);
    expect(call.transcript.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text)).toEqual([
      'One two three. Four',
      'What are your office hours?',
    ]);
    expect(prompts()).toHaveLength(3);
  });

  test.each<[string, Record<string, unknown>, boolean]>([
    ['', {}, true],
    ['interruptible="any"', {}, true],
    ['interruptible="true"', {}, true],
    ['interruptible="speech"', {}, true],
    ['interruptible="dtmf"', {}, false],
    ['interruptible="none"', {}, false],
    ['interruptible="false"', {}, false],
    ['interruptible="speech"', { interruptible: false }, false],
    ['interruptible="none"', { interruptible: true }, true],
  ])('with a document that says %j and a frame that says %j: cuts %j', async (attribute, member, cuts) => {
    fixture.answers.set('/answer', () => ({ status: 200, body: fixture.answerDocument(attribute) }));
    fixture.agent = (_, turn) =>
      turn === 0
        ? { raw: [JSON.stringify({ type: 'text', token: long, last: true, ...member })] }
        : { end: '' };
    const call = await play(interrupting);
    expect(framesOf('interrupt')).toHaveLength(cuts ? 1 : 0);
    expect(call.transcript[1]?.text).toBe(cuts ? 'Good morning, this is' : long.replace('&amp;', '&'));
  });
});

describe('an application that streams its words', () => {
  test('is spoken at the ends of sentences and heard as one', async () => {
    fixture.agent = (_, turn) =>
      turn === 0
        ? {
            tokens: ['Good morning. ', 'What are', ' your office', ' hours?'],
            everyMs: 150,
            closes: true,
            isCut: false,
          }
        : { end: '' };
    const call = await play(office);
    expect(call.transcript.map(({ speaker }) => speaker)).toEqual(['person', 'agent', 'person']);
    expect(call.transcript[1]?.text).toBe('Good morning. What are your office hours?');
    const [greeting, agent] = call.transcript;
    // It began to speak while most of the words were still coming.
    expect((agent?.start_ms ?? 0) - (greeting?.end_ms ?? 0)).toBeLessThan(1300);
  });

  test('is heard even when it never says that it has finished', async () => {
    fixture.agent = (_, turn) =>
      turn === 0
        ? { tokens: ['What are your ', 'office hours?'], everyMs: 10, closes: false, isCut: false }
        : { end: '' };
    const call = await play(office);
    expect(call.transcript[1]?.text).toBe('What are your office hours?');
  });
});

describe('an application that is slow to start', () => {
  const opening = 'Hello, this is an automated assistant.';
  const question = 'What are your office hours?';

  test('is heard with its opening and its answer to the greeting together', async () => {
    fixture.agent = (_, turn) =>
      turn === 0
        ? {
            says: [
              { after: 400, text: opening },
              { after: 1500, text: question },
            ],
          }
        : { end: '' };
    const call = await play(office);
    expect(call.transcript.map(({ speaker }) => speaker)).toEqual(['person', 'agent', 'agent', 'person']);
    expect(prompts()).toHaveLength(2);
  });

  test('is caught up with when it answers the greeting only after what was said next', async () => {
    fixture.onSetup = opening;
    fixture.agent = (_, turn) =>
      turn === 0
        ? { says: [{ after: 2500, text: 'Thank you, Ines.' }] }
        : turn === 1
          ? { says: [{ after: 400, text: question }] }
          : { end: '' };
    const call = await play(office);
    const words = call.transcript.map(({ text }) => text);
    expect(words.slice(words.indexOf(question)).slice(0, 2)).toEqual([question, 'Thank you, Ines.']);
    expect(prompts()).toHaveLength(3);
  });
});

describe('a person who says more than one thing', () => {
  test('is transcribed in prompts of their own, with a pause between them', async () => {
    fixture.agent = (heard, turn) =>
      turn === 0 ? { say: 'What are your office hours?' } : heard.includes('Sunday') ? { end: '' } : null;
    const call = await play({
      desks: [
        {
          desk: 'office',
          purpose: ['hours'],
          topics: [
            {
              topic: 'hours',
              asked_by: ['office hours'],
              says: ['We open at 8. We close at 5. We are closed on Sunday.'],
            },
          ],
          opens: 'at-once',
        },
      ],
      temper: { speaks_in_parts: 1 },
    });
    expect(prompts().slice(1, 4)).toEqual(['We open at 8.', 'We close at 5.', 'We are closed on Sunday.']);
    const lines = call.transcript.filter(({ text }) => text.startsWith('We '));
    expect(lines).toHaveLength(3);
    for (const [index, line] of lines.entries()) {
      if (index > 0) expect(line.start_ms).toBeGreaterThan((lines[index - 1]?.end_ms ?? 0) + 200);
    }
  });

  test('goes on over what the application begins to say in between, which is cut and never heard', async () => {
    fixture.agent = (heard, turn) =>
      turn === 0
        ? { say: 'What are your office hours?' }
        : heard.includes('Sunday')
          ? { end: '' }
          : { say: `Do I hear that right: ${heard}` };
    const call = await play({
      desks: [
        {
          desk: 'office',
          purpose: ['hours'],
          topics: [
            {
              topic: 'hours',
              asked_by: ['office hours'],
              says: ['We open at 8. We close at 5. We are closed on Sunday.'],
            },
          ],
          opens: 'at-once',
        },
      ],
      temper: { speaks_in_parts: 1 },
    });
    const spoken = call.transcript.map(({ text }) => text);
    expect(spoken).toContain('We are closed on Sunday.');
    expect(spoken.filter((text) => text.includes('that right'))).toEqual([]);
    const cuts = framesOf('interrupt');
    expect(cuts).toHaveLength(2);
    for (const cut of cuts) {
      expect(['', 'Do', 'Do I']).toContain(cut.utteranceUntilInterrupt);
    }
  });

  test('reaches the application as the recognizer writes it, and the recording as it was said', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: 'Who is there?' } : { end: '' });
    const call = await play({
      greeting: ['Good morning, suite 215, Ines speaking.'],
      transcription: 'plain',
      numbers_as: 'words',
    });
    expect(prompts()[0]).toMatch(/^good morning suite two .*fifteen ines speaking$/);
    expect(call.transcript[0]?.text).toBe('Good morning, suite 215, Ines speaking.');
  });
});

describe('a line with a hold', () => {
  const holding = {
    ...office,
    line: {
      first: 'hold',
      stages: {
        hold: {
          kind: 'hold',
          ms: [30_000, 30_000],
          announcements: ['All our agents are busy.', 'Thank you for holding.'],
          every_ms: 10_000,
          to: 'person',
        },
      },
    },
  };

  test('plays music, announces, and hears nothing until somebody picks up', async () => {
    fixture.agent = (heard, turn) =>
      turn === 0 ? { say: 'What are your office hours?' } : heard.includes('Ines') ? { end: '' } : null;
    const call = await play(holding);
    expect(prompts()).toEqual([
      'All our agents are busy.',
      'Thank you for holding.',
      'All our agents are busy.',
      'Hello, this is Ines.',
    ]);
    const [first, unheard, second] = call.transcript;
    expect(unheard).toMatchObject({ speaker: 'agent', text: 'What are your office hours?' });
    expect(second?.text).toBe('Thank you for holding.');
    expect((second?.start_ms ?? 0) - (first?.end_ms ?? 0)).toBeGreaterThanOrEqual(10_000);
    const [person] = await channels();
    const music = part(person, (first?.end_ms ?? 0) + 500, (second?.start_ms ?? 0) - 2000);
    expect(loudness(music)).toBeGreaterThan(0.01);
  });

  test('takes a frame that says nothing without speaking it', async () => {
    const empty = JSON.stringify({ type: 'text', token: '', last: false });
    fixture.agent = (heard) => (heard.includes('Ines') ? { end: '' } : { raw: [empty, empty] });
    const call = await play(holding);
    expect(call.transcript.filter(({ speaker }) => speaker === 'agent')).toEqual([]);
    expect(prompts()).toHaveLength(4);
    expect(fixture.frames.filter(({ type }) => ['error', 'interrupt'].includes(type))).toEqual([]);
  });

  test('takes its natural share of real time', async () => {
    fixture.agent = (heard) => (heard.includes('Ines') ? { end: '' } : null);
    const startedAt = performance.now();
    await play(holding, 0.02);
    expect(performance.now() - startedAt).toBeGreaterThan(600);
  });

  test('can be left by the application at any time', async () => {
    fixture.agent = (_, turn) => (turn === 1 ? { end: 'enough' } : null);
    await play(holding);
    expect(prompts()).toHaveLength(2);
    expect(fixture.formsOf('/relay-end')).toMatchObject([{ SessionStatus: 'ended', HandoffData: 'enough' }]);
  });
});

describe('a line with a menu', () => {
  const menu = (in_parts: boolean): object => ({
    ...office,
    line: {
      first: 'menu',
      stages: {
        menu: {
          kind: 'menu',
          in_parts,
          says: [
            'Welcome to Hilltop. For billing, press 1. For the front desk, press 2. To hear this again, press 9.',
          ],
          choices: { 1: { to: 'hang-up' }, 2: { to: 'person' }, 9: { to: 'menu' } },
        },
      },
    },
  });

  test('is cut by a key: what was not read yet is not read', async () => {
    fixture.agent = (heard) =>
      heard.includes('front desk') ? { keys: '2' } : heard.includes('Ines') ? { end: '' } : null;
    const call = await play(menu(true));
    expect(prompts()).toEqual([
      'Welcome to Hilltop.',
      'For billing, press 1.',
      'For the front desk, press 2.',
      'Hello, this is Ines.',
    ]);
    expect(call.transcript.map(({ text }) => text)).not.toContain('To hear this again, press 9.');
  });

  test('is cut in the middle of a sentence when it is read in real time', async () => {
    fixture.agent = (heard) =>
      heard.includes('billing') ? { keys: 'w2', after: 600 } : heard.includes('Ines') ? { end: '' } : null;
    const call = await play(menu(true), 0.3);
    expect(prompts()).toEqual(['Welcome to Hilltop.', 'For billing, press 1.', 'Hello, this is Ines.']);
    const cut = call.transcript[2];
    expect('For the front desk, press 2.'.startsWith(`${cut?.text} `)).toBe(true);
    const [person] = await channels();
    expect(loudness(part(person, (cut?.end_ms ?? 0) + 20, (cut?.end_ms ?? 0) + 200))).toBe(0);
  });

  test('does not hear what an application says to begin with while it reads', async () => {
    fixture.onSetup = 'Hello, this is an automated assistant.';
    fixture.agent = (heard) => (heard.includes('Ines') ? { end: '' } : { keys: '2', after: 300 });
    const call = await play(menu(false));
    expect(call.transcript.map(({ speaker }) => speaker)).toEqual(['person', 'agent', 'person']);
    expect(prompts()).toHaveLength(2);
  });

  test('takes keys that are pressed when it has been read', async () => {
    fixture.agent = (heard) => (heard.includes('Ines') ? { end: '' } : { keys: '2' });
    await play(menu(false));
    expect(prompts()).toHaveLength(2);
    expect(prompts().at(-1)).toBe('Hello, this is Ines.');
  });

  test('hears words that came before a key first', async () => {
    fixture.agent = (heard) =>
      heard.includes('Ines')
        ? { end: '' }
        : {
            raw: [
              '{"type":"text","token":"Representative, please.","last":true}',
              '{"type":"sendDigits","digits":"2"}',
            ],
          };
    const call = await play(menu(false));
    expect(prompts().at(-1)).toBe('Hello, this is Ines.');
    expect(call.transcript.some(({ text }) => text === 'Representative, please.')).toBe(true);
  });
});

describe('a mailbox', () => {
  test('greets, beeps, takes a message and hangs up', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: 'Please call us back. Goodbye.' } : null);
    const call = await play({
      line: { first: 'box', stages: { box: { kind: 'voicemail', greeting: ['Leave a message.'] } } },
    });
    expect(prompts()).toEqual(['Leave a message.']);
    const [greeting, message] = call.transcript;
    expect(message).toMatchObject({ speaker: 'agent', text: 'Please call us back. Goodbye.' });
    const [person] = await channels();
    const beepAt = greeting?.end_ms ?? 0;
    expect(loudness(part(person, beepAt + 100, beepAt + 400))).toBeGreaterThan(0.05);
    expect(loudness(part(person, beepAt + 600, beepAt + 1000))).toBe(0);
    expect(message?.start_ms).toBeGreaterThanOrEqual(beepAt + 500);
    expect(fixture.formsOf('/relay-end')).toMatchObject([{ SessionStatus: 'completed' }]);
  });
});

describe('somebody who is not reached the same way every time', () => {
  test('takes the calls of each caller in turn, and then from the first again', async () => {
    const services = somebody({ reach: ['busy', 'no-answer', 'answers'] });
    const statusOf = async (from: string): Promise<string> => {
      fixture.agent = () => ({ end: '' });
      const sid = await fixture.place(number, { From: from });
      await fixture.play(services);
      return (await fixture.call(sid)).status;
    };
    const other = '+12025550189';
    expect(await statusOf(other)).toBe('busy');
    expect(await statusOf('+12025550188')).toBe('busy');
    expect(await statusOf(other)).toBe('no-answer');
    expect(await statusOf(other)).toBe('completed');
    expect(await statusOf(other)).toBe('busy');
  });
});

describe('frames of the application', () => {
  test.each([
    '',
    '[]',
    'null',
    '{"token":"no type"}',
    '{"type":"interrupt"}',
    '{"type":"text"}',
    '{"type":"text","token":null}',
    '{"type":"text","token":"a","last":"true"}',
    '{"type":"text","token":"a","interruptible":1}',
    '{"type":"play"}',
    '{"type":"play","source":"hold.wav"}',
    '{"type":"play","source":"https://media.example.test/a.wav","loop":1.5}',
    '{"type":"sendDigits"}',
    '{"type":"sendDigits","digits":"12a"}',
    '{"type":"sendDigits","digits":""}',
    '{"type":"language"}',
    '{"type":"end","handoffData":{"outcome":"done"}}',
  ])('that the carrier would refuse are refused and change nothing: %s', async (frame) => {
    fixture.agent = (_, turn) =>
      turn === 0
        ? { raw: [frame, '{"type":"text","token":"What are your office hours?","last":true}'] }
        : { end: '' };
    const call = await play(office);
    expect(framesOf('error')).toEqual([{ type: 'error', description: `Invalid message received: ${frame}` }]);
    expect(call.transcript.map(({ speaker }) => speaker)).toEqual(['person', 'agent', 'person']);
  });

  test.each([
    '{"type":"text","token":"","last":false,"lang":"en-US","preemptible":false,"interruptible":true}',
    '{"type":"play","source":"https://media.example.test/a.wav","loop":0}',
    '{"type":"language","ttsLanguage":"es-US"}',
  ])('that the carrier takes are taken: %s', async (frame) => {
    fixture.agent = () => ({ raw: [frame, '{"type":"end"}'] });
    await play(office);
    expect(framesOf('error')).toEqual([]);
  });
});
