import { describe, expect, test } from 'vitest';
import { askedSeconds, retryDelaySeconds } from '#shared/webhooks/retry-schedule.ts';

test('the waits are 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, then none', () => {
  const waits = Array.from({ length: 10 }, (_, index) => retryDelaySeconds(index + 1, 0, 0.5));
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
});

test('each wait varies by a fifth in both directions', () => {
  expect([0, 0.25, 0.75, 1].map((random) => Math.round(retryDelaySeconds(2, 0, random) ?? 0))).toEqual([
    240, 270, 330, 360,
  ]);
});

describe('a receiver that asks for a wait', () => {
  const now = new Date('2026-03-02T15:00:00.000Z');
  const asked = (status_code: number, retryAfter: string): number =>
    askedSeconds(
      {
        number: 1,
        attempted_at: now.toISOString(),
        status_code,
        error: null,
        duration_ms: 1,
        response: { headers: { 'retry-after': retryAfter }, body: '', truncated: false },
      },
      now,
    );

  test('gets a longer wait, never a shorter one, at most a day', () => {
    expect(retryDelaySeconds(1, 60, 0.5)).toBe(60);
    expect(retryDelaySeconds(2, 60, 0.5)).toBe(300);
    expect(retryDelaySeconds(1, 1_000_000, 0.5)).toBe(86_400);
    expect(retryDelaySeconds(10, 60, 0.5)).toBeNull();
  });

  test.each([429, 503])('does so with %i in seconds or as a date', (status) => {
    expect(asked(status, '120')).toBe(120);
    expect(asked(status, 'Mon, 02 Mar 2026 15:01:30 GMT')).toBe(90);
    expect(asked(status, 'Mon, 02 Mar 2026 14:00:00 GMT')).toBe(0);
  });

  test('is ignored with other statuses, or with an invalid value', () => {
    expect(asked(500, '120')).toBe(0);
    expect(asked(302, '120')).toBe(0);
    for (const text of ['', 'soon', '-5', '1.5', '2026-03-03T00:00:00Z', '99999999999999999999']) {
      expect(asked(503, text)).toBe(0);
    }
  });
});
