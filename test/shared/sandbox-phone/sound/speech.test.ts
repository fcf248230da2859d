import { describe, expect, test } from 'vitest';
import { pronunciation } from '#shared/sandbox-phone/sound/pronunciation.ts';
import { toTelephoneRate } from '#shared/sandbox-phone/sound/resample.ts';
import { durationMs, synthesize, voices } from '#shared/sandbox-phone/sound/synthesizer.ts';
import { toneBursts } from '#shared/sandbox-phone/sound/tones.ts';
import { decodeWav, encodeWav, mixDown } from '#shared/sandbox-phone/sound/wav.ts';
import { loudness, pitch } from '../sound/voice-measures.ts';

const sentence = 'The next opening is Tuesday, November 24th at 10:30 in the morning.';

describe('speech', () => {
  test.each(voices)('of the voice %s is audible and takes its natural time', async (voice) => {
    const samples = await synthesize(sentence, voice);
    expect(durationMs(samples)).toBeGreaterThan(3000);
    expect(durationMs(samples)).toBeLessThan(8000);
    expect(loudness(samples)).toBeGreaterThan(0.03);
  });

  test('of a woman is higher than of men', async () => {
    const [slt, rms, awb] = await Promise.all(
      (['slt', 'rms', 'awb'] as const).map(async (voice) => pitch(await synthesize(sentence, voice))),
    );
    expect(slt).toBeGreaterThan(150);
    expect(rms).toBeLessThan(140);
    expect(awb).toBeLessThan(150);
  });

  test.each(['', ' ', '…', '!?', '日本', '<break time="1s"/>', '-v', '\u0000'])(
    'of a text that nobody can pronounce (%j) is a short silence',
    async (text) => {
      if (text === '-v') {
        // Text that looks like an option of the synthesizer is just text.
        expect(loudness(await synthesize(text, 'kal'))).toBeGreaterThan(0.001);
        return;
      }
      const samples = await synthesize(text, 'kal');
      expect(durationMs(samples)).toBe(200);
      expect(loudness(samples)).toBe(0);
    },
  );

  test('of a very long text is complete', async () => {
    const once = durationMs(await synthesize(sentence, 'kal16'));
    const often = durationMs(await synthesize(Array.from({ length: 20 }, () => sentence).join(' '), 'kal16'));
    expect(often).toBeGreaterThan(once * 15);
  });
});

describe('tones instead of speech', () => {
  test.each(voices)('of the voice %s are audible and take the natural time of the words', (voice) => {
    const samples = toneBursts(sentence, voice);
    expect(durationMs(samples)).toBe(Math.round((sentence.length * 1000) / 14));
    expect(loudness(samples)).toBeGreaterThan(0.03);
    expect(toneBursts(sentence.repeat(20), voice)).toHaveLength(
      Math.round((sentence.length * 20 * 8000) / 14),
    );
    expect(toneBursts(sentence, voice)).toEqual(samples);
  });

  test('have a different pitch for every voice', () => {
    const heights = voices.map((voice) => Math.round(pitch(toneBursts(sentence, voice)) / 5));
    expect(new Set(heights).size).toBe(voices.length);
  });

  test('of an unpronounceable text are a short silence', () => {
    const samples = toneBursts('…', 'kal');
    expect(durationMs(samples)).toBe(200);
    expect(loudness(samples)).toBe(0);
  });
});

describe('pronunciation', () => {
  test.each([
    ['RF48213', 'R F 4 8 2 1 3'],
    ['number CLM-7741902.', 'number C L M, 7 7 4 1 9 0 2.'],
    ['202-555-0164', '2 0 2, 5 5 5, 0 1 6 4'],
    ['90318204', '9 0 3 1 8 2 0 4'],
    ['$1,500 and $342.50', '$1,500 and $342.50'],
    ['20% of 12,500', '20% of 12,500'],
    ['10:30 AM to 9:00 p.m.', '10:30 A M to 9 P M'],
    ['November 24th, 2026', 'November 24th, 2026'],
    ['A & B <i>c</i>', 'A and B c'],
  ])('of %s', (text, expected) => {
    expect(pronunciation(text)).toBe(expected);
  });
});

describe('resampling', () => {
  const tone = (hertz: number): Int16Array =>
    Int16Array.from({ length: 16_000 }, (_, at) => 10_000 * Math.sin((2 * Math.PI * hertz * at) / 16_000));

  test('keeps the telephone band', () => {
    const result = toTelephoneRate(tone(1000), 16_000);
    expect(result).toHaveLength(8000);
    expect(loudness(result)).toBeCloseTo(loudness(tone(1000)), 2);
  });

  test('removes frequencies that would alias', () => {
    expect(loudness(toTelephoneRate(tone(6000), 16_000))).toBeLessThan(0.001);
  });
});

describe('a WAV file', () => {
  test('restores its channels, the shorter one ending in silence', () => {
    const { sampleRate, channels } = decodeWav(
      encodeWav([Int16Array.of(1, -2, 32_767), Int16Array.of(-32_768)]),
    );
    expect(sampleRate).toBe(8000);
    expect(channels).toEqual([Int16Array.of(1, -2, 32_767), Int16Array.of(-32_768, 0, 0)]);
  });

  test('mixed down contains both speakers and cannot clip', () => {
    expect(mixDown([Int16Array.of(32_767, 100), Int16Array.of(32_767)])).toEqual(Int16Array.of(32_767, 50));
  });

  test.each([Buffer.from('no sound'), Buffer.from('RIFF0000WAVE')])('that is none is refused', (bytes) => {
    expect(() => decodeWav(bytes)).toThrow();
  });
});
