import { describe, expect, test } from 'vitest';
import { axisTicks } from '#shared/dashboard/layout/charts/axis-ticks.ts';

describe('axis labels', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [10, [0, 5, 10]],
    [41, [0, 20, 40, 60]],
    [1000, [0, 500, 1000]],
  ])('reach %d in round steps: %j', (largest, ticks) => {
    expect(axisTicks(largest)).toEqual(ticks);
  });

  test('are two to five whole numbers, and only the last may exceed the largest value', () => {
    for (let largest = 1; largest <= 3000; largest += 1) {
      const ticks = axisTicks(largest);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.every(Number.isInteger)).toBe(true);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest);
      expect(ticks.at(-2)).toBeLessThan(largest);
    }
  });
});
