import { expect, test } from 'vitest';
import { toInstant } from '#shared/calling-hours/written-time.ts';

const newYork = { zone: 'America/New_York', country: 'US' };

test.each([
  ['11/25/2026 9:00 AM', '2026-11-25T14:00:00.000Z'],
  ['11/25/2026 9:00', '2026-11-25T14:00:00.000Z'],
  ['11/25/2026, 9:00:00 p.m.', '2026-11-26T02:00:00.000Z'],
  ['7-4-2026 12:30 am', '2026-07-04T04:30:00.000Z'],
  ['2026-07-04 12:30 PM', '2026-07-04T16:30:00.000Z'],
  ['2026-07-04T23:59', '2026-07-05T03:59:00.000Z'],
  // The clocks skip it.
  ['3/8/2026 2:30 AM', '2026-03-08T06:30:00.000Z'],
  ['2026-11-25T09:00:00-08:00', '2026-11-25T17:00:00.000Z'],
])('%s is a time in New York', (text, instant) => {
  expect(toInstant(text, newYork)).toBe(instant);
});

test.each([
  '',
  '11/25/2026',
  '9:00 AM',
  '11/25/2026 13:00 PM',
  '11/25/2026 24:00',
  '11/25/2026 9:60',
  '2/30/2026 9:00',
  'tomorrow 9:00',
])('“%s” is not a time', (text) => expect(toInstant(text, newYork)).toBeNull());

test('a time without an offset is invalid if the time zone is unknown', () => {
  expect(toInstant('11/25/2026 9:00 AM', { zone: null, country: 'US' })).toBeNull();
  expect(toInstant('2026-11-25T09:00:00Z', { zone: null, country: 'US' })).toBe('2026-11-25T09:00:00.000Z');
});

test('a date is read as the country writes it', () => {
  const london = { zone: 'Europe/London', country: 'GB' };
  expect(toInstant('4/7/2026 12:30', london)).toBe('2026-07-04T11:30:00.000Z');
  expect(toInstant('7/13/2026 12:30', london)).toBeNull();
  expect(toInstant('4.7.2026 12:30', newYork)).toBeNull();
});
