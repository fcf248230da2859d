import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Mutex } from '#shared/calls/dial/mutex.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const longestMs = 2_000;

test('work proceeds one by one, in order of arrival', async () => {
  const mutex = new Mutex(longestMs);
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
  expect(await Promise.all([1, 2, 3].map((id) => mutex.run(work(id))))).toEqual([1, 2, 3]);
  expect(done).toEqual([1, 2, 3]);
});

test('runs the next task after one fails', async () => {
  const mutex = new Mutex(longestMs);
  const failing = mutex.run(() => Promise.reject(new Error('out of order')));
  const next = mutex.run(async () => 'through');
  await expect(failing).rejects.toThrow('out of order');
  expect(await next).toBe('through');
  expect(vi.getTimerCount()).toBe(0);
});

test('hanging work delays each successor for a bounded time', async () => {
  const mutex = new Mutex(longestMs);
  const hanging = vi.fn(() => new Promise<never>(() => {}));
  mutex.run(hanging);
  mutex.run(hanging);
  const last = vi.fn(async () => {});
  mutex.run(last);
  await vi.advanceTimersByTimeAsync(longestMs);
  expect(hanging).toHaveBeenCalledTimes(2);
  expect(last).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(longestMs);
  expect(last).toHaveBeenCalledOnce();
});
