import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { logError } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import { countRequests } from '#shared/table/rate-window.ts';

const windowSeconds = 10;
/** An instance counts alone up to this share of a window's limit, then reports its count. */
const reportedInParts = 100;

/** What one function instance knows of a project's requests in the present window. */
interface Tally {
  /** Of all instances, at the last report. */
  counted: number;
  /** Of this instance, since then. */
  unreported: number;
}

const RequestsPerSecond = z.string().check(z.regex(/^\d+$/));

/**
 * Lets a project make as many requests in each window of 10 s as its rate allows, and refuses the others with
 * `too_many_requests` until the window ends, which `Retry-After` says in seconds. All of a window's requests
 * may come at once.
 *
 * Instances count by themselves and report in parts of a hundredth of the limit, so a project that asks
 * seldom costs no write. What may slip through in a window, therefore: that hundredth, less one, for each
 * instance that serves the project, as long as an instance serves one request at a time. Twice the rate may
 * come within 10 s where two windows meet. A count that cannot be written blocks no request: the instance
 * then goes by what it knows.
 *
 * Resolves with headers that say what is left; empty without a limit.
 *
 * @param requestsPerSecond a whole number; 0 for no limit
 */
export function projectRateLimit(
  table: Table,
  requestsPerSecond: string,
  now: () => number = Date.now,
): (caller: { readonly projectId: string }) => Promise<Record<string, string>> {
  const limit = Number(RequestsPerSecond.parse(requestsPerSecond)) * windowSeconds;
  const reportedAtOnce = Math.max(1, Math.floor(limit / reportedInParts));
  const windowMs = windowSeconds * 1000;
  let startMs = 0;
  let tallies = new Map<string, Tally>();

  const report = async (projectId: string, tally: Tally): Promise<void> => {
    const requests = tally.unreported;
    // Before it is written, so that of the requests that come meanwhile none reports the same.
    tally.counted += requests;
    tally.unreported = 0;
    try {
      const counted = await countRequests(table, { projectId, startMs }, requests);
      // Reports may overtake each other; none is to make the count smaller.
      tally.counted = Math.max(tally.counted, counted);
    } catch (error) {
      logError('requests-not-counted', error);
    }
  };

  return async ({ projectId }) => {
    if (limit === 0) return {};
    const currentMs = Math.floor(now() / windowMs) * windowMs;
    if (currentMs !== startMs) {
      startMs = currentMs;
      tallies = new Map();
    }
    const tally = tallies.get(projectId) ?? { counted: 0, unreported: 0 };
    tallies.set(projectId, tally);
    const headers = (): Record<string, string> =>
      rateLimitHeaders(limit, limit - tally.counted - tally.unreported, currentMs + windowMs - now());
    if (tally.counted + tally.unreported < limit) {
      tally.unreported += 1;
      if (tally.unreported < reportedAtOnce) return headers();
      await report(projectId, tally);
      if (tally.counted <= limit) return headers();
    }
    throw tooManyRequests(currentMs + windowMs - now(), headers());
  };
}

/**
 * What is left of a project's rate, as far as this instance knows, and the rate itself:
 * draft-ietf-httpapi-ratelimit-headers.
 *
 * @param waitMs until the window ends
 */
function rateLimitHeaders(limit: number, left: number, waitMs: number): Record<string, string> {
  return {
    RateLimit: `"project";r=${Math.max(0, left)};t=${seconds(waitMs)}`,
    'RateLimit-Policy': `"project";q=${limit};w=${windowSeconds}`,
  };
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** @param waitMs until the next request is let through */
function tooManyRequests(waitMs: number, headers: Record<string, string>): ServiceError {
  return new ServiceError('too_many_requests', 'Too many requests', {
    headers: { 'Retry-After': String(seconds(waitMs)), ...headers },
  });
}
