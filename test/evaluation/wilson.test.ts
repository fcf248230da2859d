import { expect, test } from 'vitest';
import { wilsonInterval } from './wilson.ts';

// Wilson (1927); the values are those of R's binom.confint(method = "wilson").
test.each([
  [61, 99, 0.5177, 0.7056],
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
])('%i of %i lies between %f and %f', (part, whole, low, high) => {
  const [from, to] = wilsonInterval(part, whole);
  expect(from).toBeCloseTo(low, 3);
  expect(to).toBeCloseTo(high, 3);
});

test('nothing follows from nothing', () => {
  expect(wilsonInterval(0, 0)).toEqual([0, 1]);
});
