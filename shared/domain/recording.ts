import * as z from 'zod/mini';
import { Timestamp } from './values.ts';

/**
 * `awaited` until settled: `stored` in our bucket, or `none` with the reason. A recording that appears after its call
 * was completed without it is awaited again until stored.
 */
export const Recording = z.object({
  status: z.enum(['awaited', 'stored', 'none']),
  carrier_recording_sid: z.nullable(z.string()),
  /** When the carrier reported it ready. */
  found_at: z._default(z.nullable(Timestamp), null),
  /** Whether the carrier still has a copy of a stored recording. */
  at_carrier: z._default(z.boolean(), false),
  /** When it is deleted, by its project's retention when it was stored; null for never. Stays after the deletion. */
  kept_until: z._default(z.nullable(Timestamp), null),
  key: z.nullable(z.string()),
  bytes: z.nullable(z.int()),
  channels: z.nullable(z.int()),
  duration_seconds: z.nullable(z.number()),
  /** Loudness of each channel over time, as hexadecimal digits; absent if unknown. */
  waveform: z.optional(z.array(z.string())),
  reason: z.nullable(z.string()),
  /** When to work on it next; null if nothing is left to do. */
  due_at: z._default(z.nullable(Timestamp), null),
  /** Until when a worker may be fetching it; null if none is. */
  leased_until: z._default(z.nullable(Timestamp), null),
  /** Counts writes, like the call's version; 0 before the first. */
  version: z._default(z.int(), 0),
});
export type Recording = z.infer<typeof Recording>;

/** The initial state of a recording. */
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

/** A recording settled as none. */
export function noRecording(reason: string): Recording {
  return { ...unknownRecording, status: 'none', reason };
}

/** Whether a recording was reported, or settled. */
export function isRecordingKnown({ status, carrier_recording_sid }: Recording): boolean {
  return status !== 'awaited' || carrier_recording_sid !== null;
}
