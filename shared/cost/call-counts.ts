import * as z from 'zod/mini';
import file from './call-counts.json' with { type: 'json' };

/** Billable units per service. */
export const Counts = z.strictObject({
  lambda_invocations: z.number(),
  /** On one core of the counting machine, without loading functions. */
  lambda_milliseconds: z.number(),
  dynamodb_write_units: z.number(),
  dynamodb_read_units: z.number(),
  /** Messages sent, and one receive and one delete per batch. */
  sqs_requests: z.number(),
  s3_writes: z.number(),
  s3_reads: z.number(),
  kms_requests: z.number(),
  secrets_requests: z.number(),
  rest_requests: z.number(),
  /** Frames, both ways. */
  websocket_messages: z.number(),
  /** Written by the functions themselves. */
  log_bytes: z.number(),
});
export type Counts = z.infer<typeof Counts>;
export type Counted = keyof Counts;

const MeasuredCall = z.strictObject({
  label: z.string(),
  /** Turns of both sides in the transcript. */
  turns: z.number(),
  /** How long the conversation's socket was open, in seconds of the call. */
  connected_seconds: z.number(),
  counts: Counts,
});
export type MeasuredCall = z.infer<typeof MeasuredCall>;

/** Monthly billed resources of a deployed stack. */
const Monthly = z.strictObject({
  alarm_metrics: z.number(),
  composite_alarms: z.number(),
  dashboards: z.number(),
  kms_keys: z.number(),
  secrets: z.number(),
  queues: z.number(),
});
export type Monthly = z.infer<typeof Monthly>;

const CallCounts = z.strictObject({
  measured_by: z.string(),
  date: z.string(),
  calls: z.array(MeasuredCall).check(z.minLength(2)),
  /** One run of the sweeper with nothing to do. */
  sweep: Counts,
  /** Of stage prod. */
  monthly: Monthly,
});
export type CallCounts = z.infer<typeof CallCounts>;

/** The counts that `npm run count-calls` wrote. */
export const callCounts: CallCounts = CallCounts.parse(file);
