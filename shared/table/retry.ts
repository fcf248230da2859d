import { setTimeout as wait } from 'node:timers/promises';

export interface RetryPolicy {
  /** Maximum number of tries. */
  readonly tries: number;
  /** The longest wait before the second try; it doubles with each, up to `longestWaitMs`. */
  readonly firstWaitMs: number;
  readonly longestWaitMs?: number;
  /** Whether another try may succeed. */
  readonly isTransient: (error: unknown) => boolean;
}

/**
 * Runs work until it succeeds, with exponential backoff and full jitter, so that conflicting writers do not meet again.
 * Throws the last error.
 *
 * @param work receives the number of the try, from 1
 */
export async function retry<Result>(
  work: (attempt: number) => Promise<Result>,
  { tries, firstWaitMs, longestWaitMs = Number.POSITIVE_INFINITY, isTransient }: RetryPolicy,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= tries || !isTransient(error)) throw error;
      await wait(Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)));
    }
  }
}
