import * as z from 'zod/mini';
import { AnsweredBy, CarrierProgress, SessionStatus } from './call.ts';

/**
 * A carrier's report about a call, in this service's terms. It travels through the call queue, so it holds IDs, counts
 * and states, never a phone number or spoken words.
 */
export const CarrierEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    progress: CarrierProgress,
    carrier_call_sid: z.string(),
    /** The carrier's sequence number; arrival order means nothing. */
    sequence: z.int(),
    sip_response_code: z.nullable(z.string()),
    talk_seconds: z.nullable(z.number()),
    /** Absent if the carrier gives none. */
    error_code: z.optional(z.string()),
  }),
  z.object({
    type: z.literal('session-ended'),
    carrier_call_sid: z.string(),
    session_status: SessionStatus,
    /** Absent if the carrier gives none. */
    error_code: z.optional(z.string()),
  }),
  z.object({
    type: z.literal('answered-by'),
    carrier_call_sid: z.string(),
    answered_by: AnsweredBy,
  }),
  z.object({
    type: z.literal('recording'),
    carrier_call_sid: z.string(),
    status: z.enum(['in-progress', 'completed', 'absent', 'failed']),
    recording_sid: z.string(),
  }),
]);
export type CarrierEvent = z.infer<typeof CarrierEvent>;
