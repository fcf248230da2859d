import { expect, test } from 'vitest';
import { retry } from '#shared/table/retry.ts';

const policy = { tries: 3, firstWaitMs: 1, isTransient: (error: unknown) => error === 'busy' };

/** Fails with each of the errors in turn, then returns the number of its attempt. */
function failing(...errors: string[]): (attempt: number) => Promise<number> {
  return async (attempt) => {
    const error = errors[attempt - 1];
    if (error !== undefined) throw error;
    return attempt;
  };
}

test('a transient failure succeeds on retry', async () => {
  expect(await retry(failing('busy', 'busy'), policy)).toBe(3);
});

test('a permanent failure throws the last error without further retries', async () => {
  const attempts: number[] = [];
  const work = async (attempt: number): Promise<never> => {
    attempts.push(attempt);
    throw 'busy';
  };
  await expect(retry(work, policy)).rejects.toBe('busy');
  expect(attempts).toEqual([1, 2, 3]);
});

test('an unretryable error is thrown at once', async () => {
  await expect(retry(failing('busy', 'refused', 'busy'), policy)).rejects.toBe('refused');
});
