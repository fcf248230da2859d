import { describe, expect, test } from 'vitest';
import { digitsFromWords } from '#shared/voice-agent/language/numbers.ts';

describe('number words become digits', () => {
  test.each([
    ['ten thirty', '10 30'],
    ['fifteen hundred dollars', '1500 dollars'],
    ['one thousand five hundred dollars', '1500 dollars'],
    ['a hundred and fifty dollars', '150 dollars'],
    ['2 thousand dollars', '2000 dollars'],
    ['six hundred twenty dollars', '620 dollars'],
    ['nineteen eighty-five', '19 85'],
    ['twenty twenty-six', '20 26'],
    ['four eight oh two one', '4 8 0 2 1'],
    ['ten oh five', '10 0 5'],
    ['november twenty fourth at ten thirty', 'november 24th at 10 30'],
    ['tuesday the third', 'tuesday the 3rd'],
    ['the second of december', 'the 2nd of december'],
    ['the twenty first', 'the 21st'],
    ['the third or the fifth', 'the 3rd or the 5th'],
    ['march first, two thousand twenty six', 'march 1st, 2026'],
    ['one thirty pm', '1 30 pm'],
    ['one visit', '1 visit'],
  ])('%s', (words, digits) => {
    expect(digitsFromWords(words)).toBe(digits);
  });

  test.each([
    'one moment',
    'one second',
    'that one works',
    'the first available',
    'first name',
    'the first and last name',
    'the first is on tuesday',
    'the second visit',
    'no one is here',
  ])('words that only look like numbers stay: %s', (words) => {
    expect(digitsFromWords(words)).toBe(words);
  });
});
