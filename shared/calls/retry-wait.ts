/**
 * The wait before the next try: half of the time waited so far, within bounds, so that short delays are retried soon.
 */
export function retryWaitMs(waitedMs: number, longestMs: number, shortestMs = 5_000): number {
  return Math.min(Math.max(waitedMs / 2, shortestMs), longestMs);
}
