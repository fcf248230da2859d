import { describe, expect, test } from 'vitest';
import { NumberGuard } from '#shared/voice-agent/language-model/number-guard.ts';

const guard = (): NumberGuard =>
  new NumberGuard(['SMX55120987', '+12025550147', '1979-03-05', 'March 5, 1979', 'the fax is 202 555 0133']);

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
    'The member ID is S M X, 5 5 1, 2 0 9, 8 8.',
    'The social security number is 123-45-6789.',
    'It is one two three four five six seven.',
  ])('from nowhere are not said: %s', (words) => {
    expect(() => said(words)).toThrow('unknown-number');
  });

  test('do not delay the words before them', () => {
    const numbers = guard();
    expect(numbers.pass(['The', 'ID', 'is', 'S', 'M', 'X,', '5'])).toEqual([
      'The',
      'ID',
      'is',
      'S',
      'M',
      'X,',
    ]);
    expect(() => numbers.pass(['1', '2', '3', '4', '5', '6', 'and'])).toThrow('unknown-number');
  });
});
