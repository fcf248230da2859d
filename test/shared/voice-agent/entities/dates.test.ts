import { expect, test } from 'vitest';
import { dateCases } from './date-cases.ts';
import { daysIn, found } from './found.ts';

test.each(dateCases)('$said', ({ said, days, context }) => {
  expect(daysIn(said, context)).toEqual(days);
});

test('have their precision', () => {
  expect(found('November 24th', 'date')[0]?.value.precision).toBe('day');
  expect(found('next week', 'date')[0]?.value.precision).toBe('week');
  expect(found('in December', 'date')[0]?.value.precision).toBe('month');
  expect(found('in 2025', 'date')[0]?.value.precision).toBe('year');
});

test('keep the spoken duration', () => {
  expect(found('in three days', 'date')[0]?.value.offset).toEqual({ value: 3, unit: 'day' });
});

test('are uncertain if weekday and number disagree', () => {
  expect(found('Tuesday, November 24', 'date')[0]?.certainty).toBeGreaterThan(0.9);
  expect(found('Monday, November 24', 'date')[0]?.certainty).toBeLessThan(0.6);
});

test.each(['every other Tuesday', 'each Friday', 'each Friday at ten'])(
  'that come again are none: "%s"',
  (said) => {
    expect([...found(said, 'date'), ...found(said, 'moment')]).toEqual([]);
  },
);

test.each(['Somebody gets back to you in a day or two.', 'in a week or two', 'give it a month or two'])(
  'are none, and no time, in a guess: "%s"',
  (said) => {
    expect([...found(said, 'date'), ...found(said, 'moment'), ...found(said, 'time')]).toEqual([]);
  },
);

test.each([
  ['It went to a reviewer, sat on a desk.', 0],
  ['Thu, sat or sun', 3],
  ['Monday, Sat', 2],
])('in short are none in a verb: "%s"', (said, days) => {
  expect(found(said, 'date')).toHaveLength(days);
});
