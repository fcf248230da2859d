import type { RecordedAttempt } from '#shared/domain/webhook.ts';

const minute = 60;
const hour = 60 * minute;

/** Seconds to wait after the first, second, … failed attempt, as Standard Webhooks recommends. */
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

/** Jitter of each wait, so that an outage's deliveries do not all return at once. */
const jitter = 0.2;

/** Upper limit of a wait that a receiver requests. */
const longestAskedSeconds = 24 * hour;

/**
 * Seconds until the next attempt, or null when all have been made. A receiver can request a longer wait, not a
 * shorter one.
 *
 * @param failedAttempts how many have failed so far, at least 1
 * @param askedSeconds the wait that the receiver requested, 0 for none
 * @param random from 0 to 1
 */
export function retryDelaySeconds(
  failedAttempts: number,
  askedSeconds: number,
  random: number,
): number | null {
  const delay = delaysSeconds[failedAttempts - 1];
  if (delay === undefined) return null;
  return Math.max(delay * (1 - jitter + 2 * jitter * random), Math.min(askedSeconds, longestAskedSeconds));
}

/**
 * Seconds that a receiver requests by `Retry-After` (RFC 9110, section 10.2.3: seconds or a date), 0 for none. Honored
 * only for 429 and 503, where it says when to send again.
 */
export function askedSeconds({ status_code, response }: RecordedAttempt, now: Date): number {
  const retryAfter = response?.headers['retry-after']?.trim();
  if (retryAfter === undefined || (status_code !== 429 && status_code !== 503)) return 0;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const at = httpDate.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now.getTime()) / 1000);
}

/** All three forms of RFC 9110 begin with the day of the week; `Date.parse` would accept much else as a date. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;
