import * as z from 'zod/mini';
import type { CarrierProgress } from '#shared/domain/call.ts';

const statuses = [
  'queued',
  'initiated',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'no-answer',
  'failed',
  'canceled',
] as const;

/** A call's status in callbacks and in the REST API (twilio.com/docs/voice/api/call-resource), as its progress. */
export const CallStatus = z.pipe(
  z.enum(statuses),
  z.transform((status): CarrierProgress => {
    if (status === 'in-progress') return 'answered';
    return status === 'no-answer' ? 'no_answer' : status;
  }),
);
