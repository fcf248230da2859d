import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Turnstile } from '#shared/calls/dial/turnstile.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const longestMs = 2_000;

test('work is let through one after the other, in the order in which it came', async () => {
  const turnstile = new Turnstile(longestMs);
  let underWay = 0;
  const done: number[] = [];
  const work = (id: number) => async () => {
    underWay += 1;
    expect(underWay).toBe(1);
    await Promise.resolve();
    underWay -= 1;
    done.push(id);
    return id;
  };
  expect(await Promise.all([1, 2, 3].map((id) => turnstile.run(work(id))))).toEqual([1, 2, 3]);
  expect(done).toEqual([1, 2, 3]);
});

test('work that fails lets the next one through', async () => {
  const turnstile = new Turnstile(longestMs);
  const failing = turnstile.run(() => Promise.reject(new Error('out of order')));
  const next = turnstile.run(async () => 'through');
  await expect(failing).rejects.toThrow('out of order');
  expect(await next).toBe('through');
  expect(vi.getTimerCount()).toBe(0);
});

test('work that hangs holds each of those behind it up for a bounded time only', async () => {
  const turnstile = new Turnstile(longestMs);
  const hanging = vi.fn(() => new Promise<never>(() => {}));
  turnstile.run(hanging);
  turnstile.run(hanging);
  const last = vi.fn(async () => {});
  turnstile.run(last);
  await vi.advanceTimersByTimeAsync(longestMs);
  expect(hanging).toHaveBeenCalledTimes(2);
  expect(last).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(longestMs);
  expect(last).toHaveBeenCalledOnce();
});
