const shortestWaitMs = 5_000;

/** The wait before the next try: half of the time waited so far, so that short delays are retried soon. */
export function retryWaitMs(waitedMs: number, longestMs: number): number {
  return Math.min(Math.max(waitedMs / 2, shortestWaitMs), longestMs);
}
