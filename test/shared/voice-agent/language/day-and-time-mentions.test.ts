import { describe, expect, test } from 'vitest';
import { findDays } from '#shared/voice-agent/language/day-mentions.ts';
import { plainOf } from '#shared/voice-agent/language/text.ts';
import { findTimes, type TimeMention } from '#shared/voice-agent/language/time-mentions.ts';

/** A Monday. */
const today = '2026-11-16';

function days(said: string, tense: 'future' | 'past' = 'future'): string[] {
  return findDays(plainOf(said), today, tense).map(({ first, last }) =>
    first === last ? first : `${first}/${last}`,
  );
}

function clock(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

function written(mention: TimeMention): string {
  switch (mention.kind) {
    case 'time':
      return clock(mention.minutes);
    case 'range':
      return `${clock(mention.from)}-${clock(mention.to)}`;
    case 'part':
      return mention.name;
  }
}

function times(said: string): string[] {
  const plain = plainOf(said);
  return findTimes(plain, findDays(plain, today)).map((mention) => written(mention));
}

describe('days', () => {
  test.each([
    ['Tuesday the 24th', ['2026-11-24']],
    ['November 24', ['2026-11-24']],
    ['Nov. 24th, 2026', ['2026-11-24']],
    ['the 24th of November', ['2026-11-24']],
    ['Tuesday, November twenty-fourth', ['2026-11-24']],
    ['11/24', ['2026-11-24']],
    ['11/24/2026', ['2026-11-24']],
    ['2026-11-24', ['2026-11-24']],
    ['tomorrow', ['2026-11-17']],
    ['the day after tomorrow', ['2026-11-18']],
    ['this Thursday', ['2026-11-19']],
    ['Thursday', ['2026-11-19']],
    ['next Thursday', ['2026-11-26']],
    ['Monday', ['2026-11-23']],
    ['a week from Thursday', ['2026-11-26']],
    ['two weeks from today', ['2026-11-30']],
    ['in three days', ['2026-11-19']],
    ['next week', ['2026-11-23/2026-11-29']],
    ['the week of December 7th', ['2026-12-07/2026-12-13']],
    ['in December', ['2026-12-01/2026-12-31']],
    ['the first week of December', ['2026-12-01/2026-12-07']],
    ['January 5th', ['2027-01-05']],
    ['Tuesday the 17th or Friday the 20th', ['2026-11-17', '2026-11-20']],
  ])('%s', (said, expected) => {
    expect(days(said)).toEqual(expected);
  });

  test('without a year lie in the past where things are reported that have happened', () => {
    expect(days('It was paid on November 12th', 'past')).toEqual(['2026-11-12']);
    expect(days('received December 3rd', 'past')).toEqual(['2025-12-03']);
  });

  test.each(['the 2nd visit', '24/7', 'an 80/20 plan', 'you may call', 'I sat down', '20% after 3 visits'])(
    'none in: %s',
    (said) => {
      expect(days(said)).toEqual([]);
    },
  );
});

describe('times', () => {
  test.each([
    ['10:30', ['10:30']],
    ['10:30 a.m.', ['10:30']],
    ['2 PM', ['14:00']],
    ['2pm', ['14:00']],
    ['ten thirty', ['10:30']],
    ['two fifteen', ['14:15']],
    ["three o'clock", ['15:00']],
    ['half past nine', ['9:30']],
    ['quarter to three', ['14:45']],
    ['a quarter after 10', ['10:15']],
    ['noon', ['12:00']],
    ['8:15 in the morning', ['8:15']],
    ['two thirty in the afternoon', ['14:30']],
    ['9, 11 or 2:30', ['9:00', '11:00', '14:30']],
    ['9 or 11 am', ['9:00', '11:00']],
    ['Tuesday 10 or 2', ['10:00', '14:00']],
    ['Tuesday morning at 9', ['morning', '9:00']],
    ['between 2 and 4 pm', ['14:00-16:00']],
    ['from 9 to 11:30', ['9:00-11:30']],
    ['9-11am', ['9:00-11:00']],
    ['the first thing I have is December 8th at 1:30', ['13:30']],
    ['14:15', ['14:15']],
    ['late afternoon', ['late afternoon']],
  ])('%s', (said, expected) => {
    expect(times(said)).toEqual(expected);
  });

  test.each([
    'a $40 copay',
    '30 visits',
    '15 minutes early',
    '202-555-0143',
    'reference 10 4 8 2 1',
    'CPT 97110',
    '20 percent',
  ])('none in: %s', (said) => {
    expect(times(said)).toEqual([]);
  });
});
