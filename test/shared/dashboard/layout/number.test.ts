import { expect, test } from 'vitest';
import { minutesText, numberText, shareText } from '#shared/dashboard/layout/number.ts';

test('large counts have groups of three digits', () => {
  expect([0, 999, 1250].map(numberText)).toEqual(['0', '999', '1,250']);
});

test.each([
  [0, 10, '0%'],
  [10, 10, '100%'],
  [1, 3, '33%'],
  [2, 3, '67%'],
  [1, 1000, 'under 1%'],
  [999, 1000, 'over 99%'],
])('%d of %d are %s, never zero or all unless exact', (part, whole, text) => {
  expect(shareText(part, whole)).toBe(text);
});

test('minutes are never zero unless exact', () => {
  expect([0, 20, 30, 90_000].map(minutesText)).toEqual(['0', 'under 1', '1', '1,500']);
});
