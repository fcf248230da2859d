import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { logError } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import { countRequests } from '#shared/table/rate-window.ts';

const windowSeconds = 10;
/** An instance counts alone up to this share of a window's limit, then reports its count. */
const reportedInParts = 100;

/** What one function instance knows of a project's requests in the current window. */
interface Tally {
  /** Of all instances, at the last report. */
  counted: number;
  /** Of this instance, since then. */
  unreported: number;
}

const RequestsPerSecond = z.string().check(z.regex(/^\d+$/));

/**
 * Admits a project's requests up to its rate in each window of 10 s, and refuses others with `too_many_requests`
 * until the window ends, with the seconds in `Retry-After`. All of a window's requests may come at once.
 *
 * Instances count alone and report in parts of a hundredth of the limit, so that a project with few requests
 * costs no writes. Each instance may therefore admit that hundredth, less one, too many per window, while it
 * serves one request at a time; where two windows meet, twice the rate may come within 10 s. A failed count
 * blocks no request: the instance then relies on its own.
 *
 * Resolves with headers about the remaining rate; empty without a limit.
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
    // Set before the write, so that concurrent requests do not report the same.
    tally.counted += requests;
    tally.unreported = 0;
    try {
      const counted = await countRequests(table, { projectId, startMs }, requests);
      // Reports may overtake each other; none may lower the count.
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
 * A project's remaining rate, as far as this instance knows, and its limit:
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

/** @param waitMs until the next request is admitted */
function tooManyRequests(waitMs: number, headers: Record<string, string>): ServiceError {
  return new ServiceError('too_many_requests', 'Too many requests', {
    headers: { 'Retry-After': String(seconds(waitMs)), ...headers },
  });
}
