import * as z from 'zod/mini';
import { Timestamp } from './values.ts';

/** A project that has tasks waiting for a line. */
const WaitingProject = z.object({
  /**
   * When it began to wait for its next line; no two projects share an instant, so that one of them always
   * comes first.
   */
  since: Timestamp,
  /** When it began to have waiting tasks. */
  entered_at: Timestamp,
  /** How many lines it may have at the same time. */
  limit: z.int(),
});

/** Who has and who waits for lines of one carrier. */
export const CallCapacity = z.object({
  /** Calls under way, by project. */
  slots: z.record(z.string(), z.int()),
  /** Projects known to have tasks in their lane. */
  waiting: z.record(z.string(), WaitingProject),
  /** When the carrier takes the next call; null before the first. */
  next_slot_at: z.nullable(Timestamp),
  /** Until then a message that shares out free lines is on its way; null before the first. */
  dispatch_due_at: z.nullable(Timestamp),
  /** Counts what changes who gets a line; every admission is conditional on it. */
  version: z.int(),
});
export type CallCapacity = z.infer<typeof CallCapacity>;

export const emptyCapacity: CallCapacity = {
  slots: {},
  waiting: {},
  next_slot_at: null,
  dispatch_due_at: null,
  version: 0,
};
