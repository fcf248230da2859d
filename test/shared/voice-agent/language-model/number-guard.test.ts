import { describe, expect, test } from 'vitest';
import { NumberGuard } from '#shared/voice-agent/language-model/number-guard.ts';

const sources = [
  'SMX55120987',
  '+12025550147',
  '1979-03-05',
  'March 5, 1979',
  'the fax is 202 555 0133',
  'It was denied on September 14, 2026.',
  'NPI 1467528903, codes 97140 and 97110',
  'two oh two',
  'five five five',
  'zero one eight eight',
];
const refusal = 'I cannot say that.';
const guard = (): NumberGuard => new NumberGuard(sources, refusal);

function said(words: string): string {
  const numbers = guard();
  return [...numbers.pass(words.split(' ')), ...numbers.release()].join(' ');
}

describe('numbers that a model is about to say', () => {
  test.each([
    'The member ID is S M X, 5 5 1, 2 0 9, 8 7. Anything else?',
    'It is five five one two oh nine eight seven.',
    'The number is 2 0 2, 5 5 5, 0 1 4 7.',
    'The date of birth is March 5, 1979.',
    'Is Tuesday, November 24, 2026 at 10:30 AM all right?',
    'The copay is $1,250.50, is that right?',
    'So the fax number is 202-555-0133?',
    'One moment, please.',
  ])('from the plan and the conversation pass, and small ones: %s', (words) => {
    expect(said(words)).toBe(words);
  });

  test.each([
    'The fax number is 2 0 2, 5 5 5, 0 1 3 3. One more question: when is it decided?',
    '1. The ID: S M X, 5 5 1, 2 0 9, 8 7 2. The patient',
    'The NPI is 1467528903. One moment.',
    'That is from September 14, 2026, 640 dollars.',
    'She was born March 5, 1979, 47 years ago.',
    'The codes are 97110, 97140.',
    'So Tuesday, November 24, 2026, 10:30?',
    'I have 2 0 2, 5 5 5, 0 1 8 8.',
    'The ID is S M X, 5 5 1, 2 0 9, 8 7, 1 9 7 9 is the year.',
  ])('pass one after another: %s', (words) => {
    expect(said(words)).toBe(words);
  });

  test.each([
    ['The member ID is S M X, 5 5 1, 2 0 9, 8 8.', 'The member ID is S M X, ... I cannot say that.'],
    [
      'It is the social security number 123-45-6789 of hers. Is it open?',
      'It is the social security number ... I cannot say that. Is it open?',
    ],
    ['It is one two three four five six seven.', 'It is ... I cannot say that.'],
    ['Sure. 2 0 2, 5 5 5, 0 1 0 9, 7 is it.', 'Sure. I cannot say that.'],
    ['Well, 9 7 1, 4 0 1 2, 3 4 5. Right?', 'Well, ... I cannot say that. Right?'],
    [
      'It is 123-45-6789 and 20 more, or 987-65-4321. Is it? It is 987-65-4321.',
      'It is ... I cannot say that. Is it? It is',
    ],
  ])('from nowhere are not said, nor the rest of their sentence: %s', (words, heard) => {
    expect(said(words)).toBe(heard);
  });

  test('do not delay the words before them', () => {
    const numbers = guard();
    const begun = ['The', 'ID', 'is', 'S', 'M', 'X,'];
    expect(numbers.pass([...begun, '5'])).toEqual(begun);
    expect(numbers.pass(['1', '2', '3', '4', '5', '6', 'and'])).toEqual([`... ${refusal}`]);
    expect(numbers.withheld).toBe(1);
  });
});
