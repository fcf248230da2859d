import { beforeEach, describe, expect, test } from 'vitest';
import { forThisFile } from '../../../support/lifetime.ts';
import { PhoneFixture } from '../phone-fixture.ts';
import { loudness } from '../sound/voice-measures.ts';
import { channels, number, office, part, play, prompts, somebody } from './somebody.ts';

const fixture = await forThisFile(PhoneFixture.start());
beforeEach(() => fixture.reset());

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

  test('plays music, announces, and hears nothing until a person picks up', async () => {
    fixture.agent = (heard, turn) =>
      turn === 0 ? { say: 'What are your office hours?' } : heard.includes('Ines') ? { end: '' } : null;
    const call = await play(fixture, holding);
    expect(prompts(fixture)).toEqual([
      'All our agents are busy.',
      'Thank you for holding.',
      'All our agents are busy.',
      'Hello, this is Ines.',
    ]);
    const [first, unheard, second] = call.transcript;
    expect(unheard).toMatchObject({ speaker: 'agent', text: 'What are your office hours?' });
    expect(second?.text).toBe('Thank you for holding.');
    expect((second?.start_ms ?? 0) - (first?.end_ms ?? 0)).toBeGreaterThanOrEqual(10_000);
    const [person] = await channels(fixture);
    const music = part(person, (first?.end_ms ?? 0) + 500, (second?.start_ms ?? 0) - 2000);
    expect(loudness(music)).toBeGreaterThan(0.01);
  });

  test('accepts an empty frame without speaking it', async () => {
    const empty = JSON.stringify({ type: 'text', token: '', last: false });
    fixture.agent = (heard) => (heard.includes('Ines') ? { end: '' } : { raw: [empty, empty] });
    const call = await play(fixture, holding);
    expect(call.transcript.filter(({ speaker }) => speaker === 'agent')).toEqual([]);
    expect(prompts(fixture)).toHaveLength(4);
    expect(fixture.frames.filter(({ type }) => ['error', 'interrupt'].includes(type))).toEqual([]);
  });

  test('takes its natural share of real time', async () => {
    fixture.agent = (heard) => (heard.includes('Ines') ? { end: '' } : null);
    const startedAt = performance.now();
    await play(fixture, holding, 0.02);
    expect(performance.now() - startedAt).toBeGreaterThan(600);
  });

  test('can be left by the application at any time', async () => {
    fixture.agent = (_, turn) => (turn === 1 ? { end: 'enough' } : null);
    await play(fixture, holding);
    expect(prompts(fixture)).toHaveLength(2);
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

  test('is interrupted by a key: the rest is not read', async () => {
    fixture.agent = (heard) =>
      heard.includes('front desk') ? { keys: '2' } : heard.includes('Ines') ? { end: '' } : null;
    const call = await play(fixture, menu(true));
    expect(prompts(fixture)).toEqual([
      'Welcome to Hilltop.',
      'For billing, press 1.',
      'For the front desk, press 2.',
      'Hello, this is Ines.',
    ]);
    expect(call.transcript.map(({ text }) => text)).not.toContain('To hear this again, press 9.');
  });

  test('is interrupted in mid-sentence when read in real time', async () => {
    fixture.agent = (heard) =>
      heard.includes('billing') ? { keys: 'w2', after: 600 } : heard.includes('Ines') ? { end: '' } : null;
    const call = await play(fixture, menu(true), 0.3);
    expect(prompts(fixture)).toEqual([
      'Welcome to Hilltop.',
      'For billing, press 1.',
      'Hello, this is Ines.',
    ]);
    const cut = call.transcript[2];
    expect('For the front desk, press 2.'.startsWith(`${cut?.text} `)).toBe(true);
    const [person] = await channels(fixture);
    expect(loudness(part(person, (cut?.end_ms ?? 0) + 20, (cut?.end_ms ?? 0) + 200))).toBe(0);
  });

  test("does not hear the application's opening while it reads", async () => {
    fixture.onSetup = 'Hello, this is an automated assistant.';
    fixture.agent = (heard) => (heard.includes('Ines') ? { end: '' } : { keys: '2', after: 300 });
    const call = await play(fixture, menu(false));
    expect(call.transcript.map(({ speaker }) => speaker)).toEqual(['person', 'agent', 'person']);
    expect(prompts(fixture)).toHaveLength(2);
  });

  test('accepts keys after the reading', async () => {
    fixture.agent = (heard) => (heard.includes('Ines') ? { end: '' } : { keys: '2' });
    await play(fixture, menu(false));
    expect(prompts(fixture)).toHaveLength(2);
    expect(prompts(fixture).at(-1)).toBe('Hello, this is Ines.');
  });

  test('hears words that precede a key first', async () => {
    fixture.agent = (heard) =>
      heard.includes('Ines')
        ? { end: '' }
        : {
            raw: [
              '{"type":"text","token":"Representative, please.","last":true}',
              '{"type":"sendDigits","digits":"2"}',
            ],
          };
    const call = await play(fixture, menu(false));
    expect(prompts(fixture).at(-1)).toBe('Hello, this is Ines.');
    expect(call.transcript.some(({ text }) => text === 'Representative, please.')).toBe(true);
  });
});

describe('a mailbox', () => {
  test('greets, beeps, takes a message and hangs up', async () => {
    fixture.agent = (_, turn) => (turn === 0 ? { say: 'Please call us back. Goodbye.' } : null);
    const call = await play(fixture, {
      line: { first: 'box', stages: { box: { kind: 'voicemail', greeting: ['Leave a message.'] } } },
    });
    expect(prompts(fixture)).toEqual(['Leave a message.']);
    const [greeting, message] = call.transcript;
    expect(message).toMatchObject({ speaker: 'agent', text: 'Please call us back. Goodbye.' });
    const [person] = await channels(fixture);
    const beepAt = greeting?.end_ms ?? 0;
    expect(loudness(part(person, beepAt + 100, beepAt + 400))).toBeGreaterThan(0.05);
    expect(loudness(part(person, beepAt + 600, beepAt + 1000))).toBe(0);
    expect(message?.start_ms).toBeGreaterThanOrEqual(beepAt + 500);
    expect(fixture.formsOf('/relay-end')).toMatchObject([{ SessionStatus: 'completed' }]);
  });
});

describe('a person with several ways to be reached', () => {
  test("takes each caller's calls in turn, then starts over", async () => {
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
