import { describe, expect, test } from 'vitest';
import { digitsForWords } from '#shared/sandbox-phone/person/number-words.ts';
import { numbersInWords, transcribe } from '#shared/sandbox-phone/person/transcription.ts';
import { play } from './scripted-caller.ts';
import { quiet, somePersona } from './some-person.ts';

describe('numbers in words', () => {
  test.each([
    ['The copay is $40 per visit.', 'The copay is forty dollars per visit.'],
    ['$620.50 of $1,500', 'six hundred twenty dollars and fifty cents of one thousand five hundred dollars'],
    ['20% coinsurance', 'twenty percent coinsurance'],
    ['at 202-555-0163', 'at two zero two five five five zero one six three'],
    ['number CR482', 'number C R four eight two'],
    ['number 1500', 'number one five zero zero'],
    ['Tuesday the 24th at 10:30 AM', 'Tuesday the twenty-fourth at ten thirty AM'],
    ['at 9:00 AM or 2:05', 'at nine AM or two oh five'],
    ['July 12th, 1984', 'July twelfth, nineteen eighty-four'],
    ['since 2024', 'since twenty twenty-four'],
    ['within 30 days', 'within thirty days'],
  ])('%s', (written, words) => {
    expect(numbersInWords(written)).toBe(words);
  });

  test('leave no figures, and are understood again', () => {
    for (let number = 0; number < 100; number += 1) {
      const words = numbersInWords(`${number} days`);
      expect(words).not.toMatch(/\d/);
      expect(digitsForWords(words)).toBe(`${number} days`);
    }
  });
});

test('plain transcription has lower case and no punctuation except in numbers', () => {
  const plain = { transcription: 'plain', numbersAs: 'digits' } as const;
  expect(transcribe("Yes, it's $1,500.50; call 202-555-0163 at 10:30, Dr. O'Neill!", plain)).toBe(
    "yes it's $1,500.50 call 202-555-0163 at 10:30 dr o'neill",
  );
});

test('transcription never changes the spoken words', () => {
  const character = somePersona({ transcription: 'plain', numbers_as: 'words', ...quiet });
  expect(play(character, 'What is the fee?').reactions.at(-1)?.utterances).toEqual([
    {
      spoken: 'The fee is $40. It is due at the visit.',
      transcribed: 'the fee is forty dollars it is due at the visit',
      voice: 'slt',
    },
  ]);
});
