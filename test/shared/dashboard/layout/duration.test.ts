import { describe, expect, test } from 'vitest';
import { durationText, positionText } from '#shared/dashboard/layout/duration.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

describe('a duration', () => {
  test.each([
    [0, 'under 1 s'],
    [849.6, 'under 1 s'],
    [999, 'under 1 s'],
    [second, '1 s'],
    [42.4 * second, '42 s'],
    [minute, '1 min'],
    [3 * minute + 5 * second, '3 min 5 s'],
    [hour, '1 h'],
    [2 * hour + 10 * minute + 59 * second, '2 h 10 min'],
    [day, '1 d'],
    [4 * day + 2 * hour + 59 * minute, '4 d 2 h'],
  ])('of %d ms is %s', (durationMs, text) => {
    expect(durationText(durationMs)).toBe(text);
  });

  test('that rounds up to the next unit uses that unit', () => {
    expect(durationText(minute - 1)).toBe('1 min');
    expect(durationText(hour - 1)).toBe('1 h');
  });

  test('is zero if different clocks make it negative', () => {
    expect(durationText(-3)).toBe('under 1 s');
  });
});

describe('a position in a recording', () => {
  test.each([
    [0, '0:00'],
    [999, '0:00'],
    [65_000, '1:05'],
    [601_000, '10:01'],
    [3_725_000, '62:05'],
  ])('at %d ms is %s', (offsetMs, text) => {
    expect(positionText(offsetMs)).toBe(text);
  });
});
