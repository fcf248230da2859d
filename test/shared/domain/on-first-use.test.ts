import { expect, test, vi } from 'vitest';
import { onFirstUse } from '#shared/domain/on-first-use.ts';

test('a value is created once, on first use', () => {
  const make = vi.fn(() => null);
  const value = onFirstUse(make);
  expect(make).not.toHaveBeenCalled();
  expect([value(), value()]).toEqual([null, null]);
  expect(make).toHaveBeenCalledTimes(1);
});
