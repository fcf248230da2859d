import * as z from 'zod/mini';
import { Timestamp } from './values.ts';

/**
 * `awaited` until it is settled: `stored` in our bucket, or `none` with the reason. One that turns up after
 * its call was completed without it is awaited again until it is stored.
 */
export const Recording = z.object({
  status: z.enum(['awaited', 'stored', 'none']),
  carrier_recording_sid: z.nullable(z.string()),
  /** When we learned that the carrier has it ready. */
  found_at: z._default(z.nullable(Timestamp), null),
  /** Whether the carrier still has a copy of a recording that we keep. */
  at_carrier: z._default(z.boolean(), false),
  /** When it is deleted, as its project wished when it was stored; null for never. Stays after the deletion. */
  kept_until: z._default(z.nullable(Timestamp), null),
  key: z.nullable(z.string()),
  bytes: z.nullable(z.int()),
  channels: z.nullable(z.int()),
  duration_seconds: z.nullable(z.number()),
  /** How loud each channel is from its beginning to its end, as a text of hexadecimal digits; absent where unknown. */
  waveform: z.optional(z.array(z.string())),
  reason: z.nullable(z.string()),
  /** When to work on it next; null when nothing is left to do. */
  due_at: z._default(z.nullable(Timestamp), null),
  /** Until when a worker may be fetching it; null when none is. */
  leased_until: z._default(z.nullable(Timestamp), null),
  /** Counts writes, as that of its call does; 0 before the first. */
  version: z._default(z.int(), 0),
});
export type Recording = z.infer<typeof Recording>;

/** A recording that nothing is known of. */
export const unknownRecording: Recording = {
  status: 'awaited',
  carrier_recording_sid: null,
  found_at: null,
  at_carrier: false,
  kept_until: null,
  key: null,
  bytes: null,
  channels: null,
  duration_seconds: null,
  reason: null,
  due_at: null,
  leased_until: null,
  version: 0,
};

/** A recording that is settled as none. */
export function noRecording(reason: string): Recording {
  return { ...unknownRecording, status: 'none', reason };
}

/** Whether a recording was reported, or settled. */
export function isRecordingKnown({ status, carrier_recording_sid }: Recording): boolean {
  return status !== 'awaited' || carrier_recording_sid !== null;
}
