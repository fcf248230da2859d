import { expect, test } from 'vitest';
import { toIsoDate, writtenDay } from '#shared/domain/written-date.ts';

test('dates are parsed in the usual US formats', () => {
  for (const text of [
    '7/12/1984',
    '07-12-1984',
    ' 7.12.1984 ',
    'Jul 12, 1984',
    'july 12 1984',
    'Jul. 12, 1984',
  ]) {
    expect(toIsoDate(text), text).toBe('1984-07-12');
  }
  for (const text of ['1984-07-12', 'Julep 12, 1984', 'Maya', '12', '']) expect(toIsoDate(text)).toBe(text);
});

test('a day is formatted in words', () => {
  expect(writtenDay('1984-07-12')).toBe('July 12, 1984');
});
