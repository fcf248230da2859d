import * as z from 'zod/mini';
import { CalendarDate, Timestamp } from './values.ts';

/** What people do about a finished task: whose it is, until when, and what they found. */
export const FollowUp = z.object({
  /** Counts writes, so that nobody overwrites what they have not seen. */
  version: z.int(),
  /** Email address of a member; null for nobody's. */
  assignee: z.nullable(z.string()),
  due: z.nullable(CalendarDate),
  notes: z.array(z.object({ at: Timestamp, by: z.string(), text: z.string() })),
  /** When it was done, and by whom; null while it is open. */
  done_at: z.nullable(Timestamp),
  done_by: z.nullable(z.string()),
});
export type FollowUp = z.infer<typeof FollowUp>;

export const newFollowUp: FollowUp = {
  version: 0,
  assignee: null,
  due: null,
  notes: [],
  done_at: null,
  done_by: null,
};

export const followUpLimits = { noteCharacters: 2000, notes: 100 } as const;
