import * as z from 'zod/mini';
import { CalendarDate, Timestamp } from './values.ts';

/** Follow-up on a finished task: assignee, due date, and notes. */
export const FollowUp = z.object({
  /** Counts writes, so that no one overwrites changes they have not seen. */
  version: z.int(),
  /** Email address of a member; null for unassigned. */
  assignee: z.nullable(z.string()),
  due: z.nullable(CalendarDate),
  notes: z.array(z.object({ at: Timestamp, by: z.string(), text: z.string() })),
  /** When and by whom it was done; null while open. */
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
