import * as z from 'zod/mini';
import { Timestamp } from './values.ts';

/** A project with tasks waiting for a slot. */
const WaitingProject = z.object({
  /** When it began to wait for its next slot; unique among projects, so that one of them always comes first. */
  since: Timestamp,
  /** When it began to have waiting tasks. */
  entered_at: Timestamp,
  /** Its limit of concurrent slots. */
  limit: z.int(),
});

/** Used and awaited slots of one carrier. */
export const CallCapacity = z.object({
  /** Calls in progress, by project. */
  slots: z.record(z.string(), z.int()),
  /** Projects known to have tasks in their wait queue. */
  waiting: z.record(z.string(), WaitingProject),
  /** When the carrier takes the next call; null before the first. */
  next_slot_at: z.nullable(Timestamp),
  /** Until then a message that allocates free slots is on its way; null before the first. */
  dispatch_due_at: z.nullable(Timestamp),
  /** Counts changes of who gets a slot; every admission is conditional on it. */
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
