import { describe, expect, test } from 'vitest';
import { fitOf, parseTimeWishes } from '#shared/voice-agent/plan/time-wishes.ts';

/** A Monday. */
const today = '2026-11-16';

function judged(wishes: string, slot: string): string {
  const [day = '', time] = slot.split(' ');
  const [hour = 0, minute = 0] = (time ?? '').split(':').map(Number);
  return fitOf(
    { day, minutes: time === undefined ? null : hour * 60 + minute },
    parseTimeWishes(wishes, today),
  );
}

describe('wishes for the time', () => {
  test.each<[string, { yes: string[]; no: string[]; possible?: string[] }]>([
    [
      'weekday mornings',
      { yes: ['2026-11-17 9:00', '2026-11-20 11:45'], no: ['2026-11-17 13:00', '2026-11-21 9:00'] },
    ],
    [
      'Weekday mornings within the next two weeks',
      { yes: ['2026-11-30 9:00'], no: ['2026-12-01 9:00', '2026-11-18 14:00'] },
    ],
    [
      'Mondays and Wednesdays after 3pm',
      { yes: ['2026-11-18 15:00', '2026-11-23 16:30'], no: ['2026-11-18 14:45', '2026-11-19 16:00'] },
    ],
    [
      'next week',
      { yes: ['2026-11-23 8:00', '2026-11-27 16:00'], no: ['2026-11-20 9:00', '2026-11-30 9:00'] },
    ],
    [
      'Tuesday or Thursday afternoons',
      { yes: ['2026-11-17 14:00', '2026-11-19 13:00'], no: ['2026-11-17 9:00', '2026-11-18 14:00'] },
    ],
    [
      'between Nov 23 and Dec 4',
      { yes: ['2026-11-23 9:00', '2026-12-04 9:00'], no: ['2026-11-20 9:00', '2026-12-07 9:00'] },
    ],
    ['after December 1', { yes: ['2026-12-02 9:00'], no: ['2026-12-01 9:00'] }],
    ['before noon', { yes: ['2026-11-17 11:30'], no: ['2026-11-17 12:30'] }],
    ['not on Fridays', { yes: ['2026-11-19 9:00'], no: ['2026-11-20 9:00'] }],
    ['as soon as possible', { yes: ['2026-11-17 9:00', '2027-01-04 16:00'], no: [] }],
    ['anytime', { yes: ['2026-11-17 9:00'], no: [] }],
    [
      'evenings after 5pm or Saturday',
      { yes: ['2026-11-17 17:30', '2026-11-21 9:00'], no: ['2026-11-17 16:00'] },
    ],
    [
      'mornings before 11 AM, except Monday',
      { yes: ['2026-11-17 10:45'], no: ['2026-11-17 11:30', '2026-11-23 9:00'] },
    ],
    ['December 1st at 2 PM', { yes: ['2026-12-01 14:00'], no: ['2026-12-01 10:00', '2026-12-02 14:00'] }],
    [
      'Monday all day or Tuesday afternoons',
      { yes: ['2026-11-23 9:00', '2026-11-17 14:00'], no: ['2026-11-17 9:00', '2026-11-18 9:00'] },
    ],
    [
      'afternoons on Tuesday or Thursday',
      { yes: ['2026-11-19 14:00'], no: ['2026-11-19 9:00', '2026-11-18 14:00'] },
    ],
    [
      'Anytime next week, preferably mornings',
      { yes: ['2026-11-24 9:00'], possible: ['2026-11-24 15:00'], no: ['2026-11-17 9:00'] },
    ],
    [
      'Patient works until 3pm on weekdays',
      { yes: ['2026-11-17 15:30', '2026-11-21 9:00'], no: ['2026-11-17 10:00'] },
    ],
    ['Out of town until December 3rd', { yes: ['2026-12-04 9:00'], no: ['2026-12-02 9:00'] }],
    [
      'weekdays 9-11am or after 4',
      { yes: ['2026-11-17 9:30', '2026-11-17 16:15'], no: ['2026-11-17 13:00', '2026-11-21 9:30'] },
    ],
    ['Mon-Thu, 8am to 12pm', { yes: ['2026-11-19 8:00'], no: ['2026-11-20 8:00', '2026-11-19 14:00'] }],
    [
      'Nov 24 afternoon or Nov 26 morning',
      { yes: ['2026-11-24 14:00', '2026-11-26 9:00'], no: ['2026-11-24 9:00', '2026-11-25 9:00'] },
    ],
    [
      'No earlier than 10am, weekdays',
      { yes: ['2026-11-17 10:00'], no: ['2026-11-17 9:30', '2026-11-21 11:00'] },
    ],
    [
      'any day but Friday, after 3pm',
      { yes: ['2026-11-17 15:30'], no: ['2026-11-20 16:00', '2026-11-17 10:00'] },
    ],
    ['not before December 5', { yes: ['2026-12-05 9:00'], no: ['2026-12-04 9:00'] }],
    [
      'Tuesdays and Thursdays from 9 to 12',
      { yes: ['2026-11-17 10:00'], no: ['2026-11-18 10:00', '2026-11-17 13:00'] },
    ],
    [
      'before 10am or after 5pm on weekdays',
      { yes: ['2026-11-17 9:00', '2026-11-17 17:30'], no: ['2026-11-17 12:00', '2026-11-21 9:00'] },
    ],
    [
      'Mondays and Tuesdays are not possible, otherwise mornings',
      { yes: ['2026-11-18 9:00'], no: ['2026-11-23 9:00', '2026-11-18 14:00'] },
    ],
    ['Dec 1-5', { yes: ['2026-12-02 9:00'], no: ['2026-12-08 9:00', '2026-11-30 9:00'] }],
    [
      'mornings, not Thursdays, by the end of November',
      { yes: ['2026-11-24 9:00'], no: ['2026-11-26 9:00', '2026-12-02 9:00'] },
    ],
    [
      'can do Tuesday 11/24 at 2pm or later, or any time Wednesday 11/25',
      {
        yes: ['2026-11-24 15:00', '2026-11-25 9:00'],
        no: ['2026-11-24 9:00', '2026-11-26 9:00'],
      },
    ],
    [
      'any weekday in November or December',
      { yes: ['2026-12-08 13:30'], no: ['2027-01-05 9:00', '2026-11-21 9:00'] },
    ],
  ])('%s', (wishes, { yes, no, possible = [] }) => {
    expect(yes.filter((slot) => judged(wishes, slot) !== 'preferred')).toEqual([]);
    expect(possible.filter((slot) => judged(wishes, slot) !== 'possible')).toEqual([]);
    expect(no.filter((slot) => judged(wishes, slot) !== 'no')).toEqual([]);
  });

  test('without any, every slot fits', () => {
    expect(fitOf({ day: '2027-03-01', minutes: 600 }, parseTimeWishes(undefined, today))).toBe('preferred');
    expect(parseTimeWishes('  ', today).text).toBeNull();
  });

  test('what is not understood restricts nothing and is kept for saying', () => {
    const wishes = parseTimeWishes('whenever the moon is full', today);
    expect(wishes.text).toBe('whenever the moon is full');
    expect(fitOf({ day: '2026-11-17', minutes: 600 }, wishes)).toBe('preferred');
  });

  test('a day fits when some time of it may', () => {
    expect(judged('weekday mornings', '2026-11-17')).toBe('preferred');
    expect(judged('weekday mornings', '2026-11-21')).toBe('no');
  });
});
