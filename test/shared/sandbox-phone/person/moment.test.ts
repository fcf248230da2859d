import { describe, expect, test } from 'vitest';
import {
  addWorkingDays,
  findDays,
  findMention,
  fitsMention,
  isoDate,
  momentStyles,
  sayMoment,
  weekdayOf,
} from '#shared/sandbox-phone/person/moment.ts';
import { digitsForWords } from '#shared/sandbox-phone/person/number-words.ts';

const today = { year: 2026, month: 11, day: 20 };
const tuesday = { year: 2026, month: 11, day: 24 };

test('working days exclude weekends', () => {
  expect([1, 2, 5, 6].map((count) => isoDate(addWorkingDays(today, count)))).toEqual([
    '2026-11-23',
    '2026-11-24',
    '2026-11-27',
    '2026-11-30',
  ]);
});

test('an appointment is said naturally', () => {
  expect(momentStyles.map((style) => sayMoment(tuesday, '10:30', style))).toEqual([
    'Tuesday, November 24th at 10:30 in the morning',
    'Tuesday the 24th at 10:30 AM',
    'Tuesday, November twenty-fourth at ten thirty in the morning',
  ]);
  expect(sayMoment(tuesday, '14:00', 'words')).toBe(
    "Tuesday, November twenty-fourth at two o'clock in the afternoon",
  );
});

test('every style is understood again', () => {
  for (const style of momentStyles) {
    for (let days = 1; days < 40; days += 1) {
      const day = addWorkingDays(today, days);
      for (const time of ['08:00', '09:05', '11:45', '12:15', '13:30', '16:00', '17:20']) {
        const mention = findMention(sayMoment(day, time, style), today);
        expect(fitsMention(day, time, mention, today), `${style} ${isoDate(day)} ${time}`).toBe(true);
        expect(mention.times).toHaveLength(1);
        expect(mention.days).toHaveLength(1);
        expect(mention.weekdays).toEqual([weekdayOf(day)]);
      }
    }
  }
});

test.each([
  ['twenty-fourth', '24th'],
  ['ten thirty', '10 30'],
  ['nineteen eighty-five', '19 85'],
  ['two thousand five', '2005'],
  ['one two three', '1 2 3'],
  ['the first one', 'the 1th 1'],
])('%s in digits is %s', (words, digits) => {
  expect(digitsForWords(words)).toBe(digits);
});

test.each([
  'July 12, 1984',
  'July 12th 1984',
  '12 July 1984',
  'the 12th of July, 1984',
  'July twelfth, nineteen eighty-four',
  '07/12/1984',
  '1984-07-12',
  '7-12-84',
])('%s is the twelfth of July 1984', (text) => {
  expect(findDays(text).days).toEqual([{ year: 1984, month: 7, day: 12 }]);
});

describe('a wish', () => {
  test.each([
    ['Tuesday at 10:30', true],
    ['the 24th', true],
    ['November 24', true],
    ['11/24', true],
    ['half past ten', true],
    ['ten thirty', true],
    ['10 30 on Tuesday', true],
    ['two fifteen', false],
    ['tomorrow', false],
    ['at 10', true],
    ['next week in the morning', true],
    ['before noon', true],
    ['after 9 am', true],
    ['Tuesdays or Thursdays', true],
    ['any morning', true],
    ['10:30 PM', false],
    ['Wednesday', false],
    ['this week', false],
    ['in the afternoon', false],
    ['after 3 pm', false],
    ['after 3', false],
    ['before 10', false],
    ['at 11', false],
    ['the 25th', false],
  ])('for %s fits Tuesday at 10:30: %s', (text, expected) => {
    expect(fitsMention(tuesday, '10:30', findMention(text, today), today)).toBe(expected);
  });

  test('is neither a date of birth nor a greeting', () => {
    const mention = findMention('Good morning. The date of birth is July 12, 1984.', today);
    expect(mention.days).toEqual([]);
    expect(mention.partsOfDay).toEqual([]);
  });
});
