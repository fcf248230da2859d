import { expect, test } from 'vitest';
import { retryDelaySeconds } from '#shared/webhooks/retry-schedule.ts';

test('the waits are 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then there is none', () => {
  const waits = Array.from({ length: 10 }, (_, index) => retryDelaySeconds(index + 1, 0.5));
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
});

test('each wait varies by a fifth to both sides', () => {
  expect([0, 0.25, 0.75, 1].map((random) => Math.round(retryDelaySeconds(2, random) ?? 0))).toEqual([
    240, 270, 330, 360,
  ]);
});
