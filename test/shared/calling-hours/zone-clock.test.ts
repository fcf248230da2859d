import { describe, expect, test } from 'vitest';
import { instantOf } from '#shared/calling-hours/zone-clock.ts';

describe('a local time', () => {
  test.each([
    ['America/New_York', '2026-01-15T14:00', '2026-01-15T19:00:00.000Z'],
    ['America/New_York', '2026-07-15T14:00', '2026-07-15T18:00:00.000Z'],
    ['America/Los_Angeles', '2026-01-15T00:00', '2026-01-15T08:00:00.000Z'],
    // An hour before and after each clock change.
    ['America/New_York', '2026-03-08T01:30', '2026-03-08T06:30:00.000Z'],
    ['America/New_York', '2026-03-08T03:30', '2026-03-08T07:30:00.000Z'],
    ['America/New_York', '2026-11-01T03:30', '2026-11-01T08:30:00.000Z'],
    ['Asia/Kolkata', '2026-01-15T09:00', '2026-01-15T03:30:00.000Z'],
  ])('in %s, %s, is %s', (zone, local, instant) => {
    expect(instantOf(zone, local).toISOString()).toBe(instant);
  });
});
