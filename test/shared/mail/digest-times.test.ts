import { describe, expect, test } from 'vitest';
import { nextDigestAt } from '#shared/mail/digest-times.ts';

describe('the next digest', () => {
  test.each([
    ['hourly', 'UTC', '2026-03-02T15:00:00.000Z', '2026-03-02T16:00:00.000Z'],
    ['hourly', 'Asia/Kolkata', '2026-03-02T15:59:59.999Z', '2026-03-02T16:00:00.000Z'],
    ['daily', 'UTC', '2026-03-02T06:59:00.000Z', '2026-03-02T07:00:00.000Z'],
    ['daily', 'UTC', '2026-03-02T07:00:00.000Z', '2026-03-03T07:00:00.000Z'],
    // Seven in the morning stays seven when clocks change, in the night to Sunday.
    ['daily', 'America/Chicago', '2026-03-07T13:30:00.000Z', '2026-03-08T12:00:00.000Z'],
    ['daily', 'America/Chicago', '2026-10-31T23:30:00.000Z', '2026-11-01T13:00:00.000Z'],
    // There, it is already tomorrow.
    ['daily', 'Pacific/Auckland', '2026-03-02T15:00:00.000Z', '2026-03-02T18:00:00.000Z'],
  ] as const)('%s in %s after %s is due at %s', (frequency, zone, after, due) => {
    expect(nextDigestAt(frequency, zone, new Date(after))?.toISOString()).toBe(due);
  });

  test('does not exist if alerts are off', () => {
    expect(nextDigestAt('off', 'UTC', new Date())).toBeNull();
  });
});
