import { expect, test } from 'vitest';
import { toIsoDate, writtenDay } from '#shared/domain/written-date.ts';

test('dates are parsed as the country writes them', () => {
  const inWords = [
    'Jul 12, 1984',
    'july 12 1984',
    'Jul. 12, 1984',
    '12 July 1984',
    '12-Jul-1984',
    '1984-07-12',
  ];
  for (const text of ['7/12/1984', '07-12-1984', ' 7/12/1984 ', ...inWords]) {
    expect(toIsoDate(text, 'US'), text).toBe('1984-07-12');
  }
  for (const text of ['12/7/1984', '12-07-1984', '12.7.1984', ...inWords]) {
    expect(toIsoDate(text, 'GB'), text).toBe('1984-07-12');
  }
  expect(toIsoDate('25.12.1984', 'US')).toBe('1984-12-25');
  expect(toIsoDate('7.7.1984', 'US')).toBe('1984-07-07');
});

test.each([
  ['US', '2.1.1980'],
  ['CA', '2/1/1980'],
  // The same file may have days up to 12, which would be misread.
  ['US', '25/12/1980'],
  ['GB', '12/25/1980'],
  ['US', '2/31/1980'],
  ['US', '7/12.1984'],
  ['US', 'Julep 12, 1984'],
  ['US', 'Maya'],
  ['US', '12'],
  ['US', ''],
])('a date that may mean another day, or none, is left as written: %s %j', (country, text) => {
  expect(toIsoDate(text, country)).toBe(text);
});

test('a day is formatted in words', () => {
  expect(writtenDay('1984-07-12')).toBe('July 12, 1984');
});
