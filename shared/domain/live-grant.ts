import * as z from 'zod/mini';
import { PhoneNumber, Timestamp } from './values.ts';

/** Which time zones apply to toll-free numbers: all where they may ring, or the project's own. */
export const SharedLineClock = z.enum(['called-zones', 'own-clock']);

/** What an operator of the service lets a project do on the live carrier. No owner of the project can change it. */
export const LiveGrant = z.object({
  /** Caller ID; the carrier has confirmed that it is ours. */
  caller_number: PhoneNumber,
  /** Tasks created earlier belong to the sandbox and are never called. */
  since: Timestamp,
  granted_at: Timestamp,
  /** No calls are made from then on; null while the grant is in force. */
  withdrawn_at: z.nullable(Timestamp),
  /** The most that the project may allow, ISO 3166-1. */
  countries: z.array(z.string()),
  max_concurrent_calls: z.int(),
  calls_per_day: z.int(),
  /** Talk minutes. Calls in progress are not cut off at the limit. */
  minutes_per_day: z.int(),
  /** IANA name; the time zone of the project's days. */
  time_zone: z.string(),
  shared_lines: SharedLineClock,
});
export type LiveGrant = z.infer<typeof LiveGrant>;

/** The defaults of a grant. */
export const usualGrant = {
  countries: ['US', 'CA'],
  max_concurrent_calls: 10,
  calls_per_day: 500,
  minutes_per_day: 1000,
  time_zone: 'UTC',
  shared_lines: 'own-clock',
} as const satisfies Partial<LiveGrant>;
