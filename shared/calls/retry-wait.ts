const shortestWaitMs = 5_000;

/** How long to wait with the next try: half of the time waited so far, so that what is late by little is tried soon. */
export function retryWaitMs(waitedMs: number, longestMs: number): number {
  return Math.min(Math.max(waitedMs / 2, shortestWaitMs), longestMs);
}
