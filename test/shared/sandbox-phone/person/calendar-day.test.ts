import { expect, test } from 'vitest';
import { calendarDay } from '#shared/sandbox-phone/person/calendar-day.ts';

test.each([
  [
    'in the evening it is still the day before in UTC',
    '2026-11-22T02:00:00Z',
    { year: 2026, month: 11, day: 21 },
  ],
  ['during the day it is the same', '2026-11-22T15:00:00Z', { year: 2026, month: 11, day: 22 }],
  ['a year may be between them', '2027-01-01T04:59:00Z', { year: 2026, month: 12, day: 31 }],
])("the day at the number's place: %s", (_, at, day) => {
  expect(calendarDay('+12025550150', new Date(at))).toEqual(day);
});

test('a number without a country has the UTC day', () => {
  expect(calendarDay('+8811234567', new Date('2026-11-22T02:00:00Z'))).toEqual({
    year: 2026,
    month: 11,
    day: 22,
  });
});
