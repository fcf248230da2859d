const minute = 60;
const hour = 60 * minute;

/** Waits after the first, second, … failed attempt, in seconds: those that Standard Webhooks recommends. */
const delaysSeconds = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Each wait varies by this share, so that the deliveries of one outage do not all come back at once. */
const jitter = 0.2;

/**
 * Seconds until the next attempt, or null when all have been made.
 *
 * @param failedAttempts how many have failed so far, at least 1
 * @param random from 0 to 1
 */
export function retryDelaySeconds(failedAttempts: number, random: number = Math.random()): number | null {
  const delay = delaysSeconds[failedAttempts - 1];
  return delay === undefined ? null : delay * (1 - jitter + 2 * jitter * random);
}
