import { beforeEach, describe, expect, test } from 'vitest';
import { forThisFile } from '../../../support/lifetime.ts';
import { PhoneFixture } from '../phone-fixture.ts';
import { loudness } from '../sound/voice-measures.ts';
import { channels, framesOf, office, part, play, prompts } from './somebody.ts';

const fixture = await forThisFile(PhoneFixture.start());
beforeEach(() => fixture.reset());

describe('a person who interrupts', () => {
  const interrupting = {
    ...office,
    temper: {
      interrupts: { likelihood: 1, after_words: [4, 4], at_most: 1, says: ['Sorry, who is this?'] },
    },
  };
  const long = 'Good morning, this is R &amp; D calling to ask about quite a number of things today.';

  test('cuts the agent off after some words: the rest is never said, and the application learns where', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: long } : { end: '' });
    const call = await play(fixture, interrupting);
    expect(framesOf(fixture, 'prompt', 'interrupt').map(({ type }) => type)).toEqual([
      'prompt',
      'interrupt',
      'prompt',
    ]);
    const [interrupt] = framesOf(fixture, 'interrupt');
    expect(interrupt).toEqual({
      type: 'interrupt',
      utteranceUntilInterrupt: 'Good morning, this is',
      durationUntilInterruptMs: 1500,
    });
    expect(prompts(fixture).at(-1)).toContain('Sorry, who is this?');
    const [, cut, reply] = call.transcript;
    expect(cut).toMatchObject({ speaker: 'agent', text: 'Good morning, this is' });
    expect(reply?.start_ms).toBe(cut?.end_ms);
    const [person, agent] = await channels(fixture);
    expect(loudness(part(agent, cut?.start_ms ?? 0, cut?.end_ms ?? 0))).toBeGreaterThan(0.02);
    expect(loudness(agent.subarray((cut?.end_ms ?? 0) * 8))).toBe(0);
    expect(loudness(part(person, reply?.start_ms ?? 0, reply?.end_ms ?? 0))).toBeGreaterThan(0.02);
  });

  test('is reported with the spoken words, not their escaped form', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: long } : { end: '' });
    await play(fixture, {
      ...interrupting,
      temper: { interrupts: { ...interrupting.temper.interrupts, after_words: [7, 7] } },
    });
    expect(framesOf(fixture, 'interrupt')[0]?.utteranceUntilInterrupt).toBe('Good morning, this is R & D');
  });

  test('lets the agent finish shorter words', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: 'Hello, good morning, Ines.' } : { end: '' });
    await play(fixture, interrupting);
    expect(framesOf(fixture, 'interrupt')).toEqual([]);
  });

  const tokens = ['One two three. ', 'Four five', ' six. ', 'Seven ', 'eight. ', 'Nine ', 'ten.'];

  test.each([
    ['goes on all the same', false, true],
    ['stops and leaves it open', true, false],
  ])('cuts off words still arriving from an application that %s', async (_, isCut, closes) => {
    fixture.agent = (_heard, turn) =>
      turn === 0
        ? { tokens, everyMs: 60, closes, isCut }
        : turn === 1
          ? { say: 'What are your office hours?' }
          : { end: '' };
    const call = await play(fixture, interrupting);
    expect(framesOf(fixture, 'interrupt')).toMatchObject([
      { utteranceUntilInterrupt: 'One two three. Four' },
    ]);
    expect(call.transcript.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text)).toEqual([
      'One two three. Four',
      'What are your office hours?',
    ]);
    expect(prompts(fixture)).toHaveLength(3);
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
  ])('with document setting %j and frame setting %j: cuts %j', async (attribute, member, cuts) => {
    fixture.answers.set('/answer', () => ({ status: 200, body: fixture.answerDocument(attribute) }));
    fixture.agent = (_, turn) =>
      turn === 0
        ? { raw: [JSON.stringify({ type: 'text', token: long, last: true, ...member })] }
        : { end: '' };
    const call = await play(fixture, interrupting);
    expect(framesOf(fixture, 'interrupt')).toHaveLength(cuts ? 1 : 0);
    expect(call.transcript[1]?.text).toBe(cuts ? 'Good morning, this is' : long.replace('&amp;', '&'));
  });
});

describe('an application that streams its words', () => {
  test('is spoken at sentence ends and heard as one turn', async () => {
    fixture.agent = (_, turn) =>
      turn === 0
        ? {
            tokens: ['Good morning. ', 'What are', ' your office', ' hours?'],
            everyMs: 150,
            closes: true,
            isCut: false,
          }
        : { end: '' };
    const call = await play(fixture, office);
    expect(call.transcript.map(({ speaker }) => speaker)).toEqual(['person', 'agent', 'person']);
    expect(call.transcript[1]?.text).toBe('Good morning. What are your office hours?');
    const [greeting, agent] = call.transcript;
    // It began to speak while most of the words were still arriving.
    expect((agent?.start_ms ?? 0) - (greeting?.end_ms ?? 0)).toBeLessThan(1300);
  });

  test('is heard even if it never marks the end', async () => {
    fixture.agent = (_, turn) =>
      turn === 0
        ? { tokens: ['What are your ', 'office hours?'], everyMs: 10, closes: false, isCut: false }
        : { end: '' };
    const call = await play(fixture, office);
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
    const call = await play(fixture, office);
    expect(call.transcript.map(({ speaker }) => speaker)).toEqual(['person', 'agent', 'agent', 'person']);
    expect(prompts(fixture)).toHaveLength(2);
  });

  test('catches up if it answers the greeting only after the next words', async () => {
    fixture.onSetup = opening;
    fixture.agent = (_, turn) =>
      turn === 0
        ? { says: [{ after: 2500, text: 'Thank you, Ines.' }] }
        : turn === 1
          ? { says: [{ after: 400, text: question }] }
          : { end: '' };
    const call = await play(fixture, office);
    const words = call.transcript.map(({ text }) => text);
    expect(words.slice(words.indexOf(question)).slice(0, 2)).toEqual([question, 'Thank you, Ines.']);
    expect(prompts(fixture)).toHaveLength(3);
  });
});

describe('a person who says several things', () => {
  test('is transcribed in separate prompts, with a pause between them', async () => {
    fixture.agent = (heard, turn) =>
      turn === 0 ? { say: 'What are your office hours?' } : heard.includes('Sunday') ? { end: '' } : null;
    const call = await play(fixture, {
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
    expect(prompts(fixture).slice(1, 4)).toEqual([
      'We open at 8.',
      'We close at 5.',
      'We are closed on Sunday.',
    ]);
    const lines = call.transcript.filter(({ text }) => text.startsWith('We '));
    expect(lines).toHaveLength(3);
    for (const [index, line] of lines.entries()) {
      if (index > 0) expect(line.start_ms).toBeGreaterThan((lines[index - 1]?.end_ms ?? 0) + 200);
    }
  });

  test('continues over words the application starts in between, which are cut off and never heard', async () => {
    fixture.agent = (heard, turn) =>
      turn === 0
        ? { say: 'What are your office hours?' }
        : heard.includes('Sunday')
          ? { end: '' }
          : { say: `Do I hear that right: ${heard}` };
    const call = await play(fixture, {
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
    const cuts = framesOf(fixture, 'interrupt');
    expect(cuts).toHaveLength(2);
    for (const cut of cuts) {
      expect(['', 'Do', 'Do I']).toContain(cut.utteranceUntilInterrupt);
    }
  });

  test('reaches the application as transcribed, and the recording as spoken', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: 'Who is there?' } : { end: '' });
    const call = await play(fixture, {
      greeting: ['Good morning, suite 215, Ines speaking.'],
      transcription: 'plain',
      numbers_as: 'words',
    });
    expect(prompts(fixture)[0]).toMatch(/^good morning suite two .*fifteen ines speaking$/);
    expect(call.transcript[0]?.text).toBe('Good morning, suite 215, Ines speaking.');
  });
});

describe('frames from the application', () => {
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
  ])('that the carrier would refuse are refused without effect: %s', async (frame) => {
    fixture.agent = (_, turn) =>
      turn === 0
        ? { raw: [frame, '{"type":"text","token":"What are your office hours?","last":true}'] }
        : { end: '' };
    const call = await play(fixture, office);
    expect(framesOf(fixture, 'error')).toEqual([
      { type: 'error', description: `Invalid message received: ${frame}` },
    ]);
    expect(call.transcript.map(({ speaker }) => speaker)).toEqual(['person', 'agent', 'person']);
  });

  test.each([
    '{"type":"text","token":"","last":false,"lang":"en-US","preemptible":false,"interruptible":true}',
    '{"type":"play","source":"https://media.example.test/a.wav","loop":0}',
    '{"type":"language","ttsLanguage":"es-US"}',
  ])('that the carrier accepts are accepted: %s', async (frame) => {
    fixture.agent = () => ({ raw: [frame, '{"type":"end"}'] });
    await play(fixture, office);
    expect(framesOf(fixture, 'error')).toEqual([]);
  });
});
