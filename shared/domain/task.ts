import * as z from 'zod/mini';
import { CallResult } from './call-result.ts';
import { keptClientData } from './client-data.ts';
import { FollowUp } from './follow-up.ts';
import { Uuid } from './identifiers.ts';
import { TaskType } from './task-type.ts';
import { PhoneNumber, Timestamp } from './values.ts';

export const TaskStatus = z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED']);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** COMPLETED, FAILED and CANCELLED are final. */
export function isTerminalTaskStatus(status: TaskStatus): boolean {
  return status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';
}

/** Why an unblocked task gets its first call. */
export const firstCallReason = 'The first call follows.';

/** Why the first call waits. */
export const calledLaterReason = 'No call before the requested time.';

export const Task = z.object({
  id: Uuid,
  project_id: Uuid,
  patient_id: Uuid,
  status: TaskStatus,
  task_type: TaskType,
  task: z.string(),
  phone_number: PhoneNumber,
  task_data: z.nullable(z.record(z.string(), z.unknown())),
  task_outcome: z.nullable(z.string()),
  ...keptClientData,
  call_after: z.optional(Timestamp),
  call_before: z.optional(Timestamp),
  /** Calls claimed so far; the number of the newest attempt. */
  attempts: z.int(),
  /** The call in progress, also of a canceled task; null between attempts and at the end. */
  current_call_id: z.nullable(Uuid),
  last_call_id: z.nullable(Uuid),
  /** When the next call is due and why; null during a call and at the end. */
  next_attempt_at: z.nullable(Timestamp),
  next_attempt_reason: z._default(z.nullable(z.string()), null),
  /** Since when the due task has been waiting for a concurrency slot; null if it is not. */
  waiting_for_line_since: z._default(z.nullable(Timestamp), null),
  /** Since when the carrier has refused to place the due call, by its code; absent once it is claimed. */
  carrier_refusal: z.optional(z.object({ code: z.nullable(z.int()), since: Timestamp })),
  /** The combined result of the calls so far, also while further ones follow; null before the first conversation. */
  result: z.nullable(CallResult),
  /** Follow-up after its end; for people only, so no API response contains it. */
  follow_up_work: z.optional(FollowUp),
  /** X-Ray trace ID of the request that created it, if traced. */
  trace_id: z.optional(z.string()),
  /** When the first call was claimed; absent before. */
  started_at: z.optional(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Task = z.infer<typeof Task>;

/** Whether a person has to check an answer before anyone relies on it. */
export function needsReview(result: CallResult | null): boolean {
  return result?.answers.some(({ needs_review }) => needs_review) ?? false;
}

/** Whether a call that begins at this time misses the client's deadline. */
export function isTooLate({ call_before }: Pick<Task, 'call_before'>, at: Date): boolean {
  return call_before !== undefined && at.getTime() >= Date.parse(call_before);
}
