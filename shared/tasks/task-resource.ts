import * as z from 'zod/mini';
import type { Addresses } from '#shared/domain/addresses.ts';
import { Call, wasAnswered } from '#shared/domain/call.ts';
import { CallResult } from '#shared/domain/call-result.ts';
import { Turn } from '#shared/domain/conversation.ts';
import { Task } from '#shared/domain/task.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { TaskWithCalls } from '#shared/table/task.ts';

/** One utterance, as clients read it. */
export const TranscriptEntry = z.pick(Turn, { role: true, content: true });
export type TranscriptEntry = z.infer<typeof TranscriptEntry>;

/** A call as clients read it. `transcripts` and `result` are present only on request. */
export const CallResource = z.extend(
  z.pick(Call, {
    id: true,
    project_id: true,
    patient_id: true,
    status: true,
    phone_number: true,
    call_outcome: true,
    created_at: true,
    updated_at: true,
  }),
  {
    /** Which call of its task it is, from 1. */
    number: z.int(),
    /** When the carrier was to dial. */
    started_at: Timestamp,
    answered_at: z.nullable(Timestamp),
    ended_at: z.nullable(Timestamp),
    /** From answer to hang-up; null without an answer. */
    duration_seconds: z.nullable(z.number()),
    /** Null until the recording can be fetched; stays null when there is none. */
    recording_url: z.nullable(z.string()),
    transcripts: z.optional(z.array(TranscriptEntry)),
    result: z.optional(z.nullable(CallResult)),
  },
);
export type CallResource = z.infer<typeof CallResource>;

/** The client's own data. */
const clientMembers = { external_id: true, metadata: true, call_after: true, call_before: true } as const;

/** The members of a task in every response. */
export const TaskFields = z.pick(Task, {
  id: true,
  project_id: true,
  patient_id: true,
  status: true,
  task_type: true,
  task: true,
  task_outcome: true,
  ...clientMembers,
  created_at: true,
  updated_at: true,
});
export type TaskFields = z.infer<typeof TaskFields>;

/**
 * What a task waits for: the time and reason of its next call, and since when it has waited for a slot, if it does.
 */
const TaskWait = z.object({
  next_attempt_at: z.nullable(Timestamp),
  next_attempt_reason: z.nullable(z.string()),
  waiting_for_line_since: z.nullable(Timestamp),
});
type TaskWait = z.infer<typeof TaskWait>;

/** A task as `GET /v1/task/{task_id}` returns it. What it waits for is present only together with `result`. */
export const TaskResource = z.extend(TaskFields, {
  ...z.partial(TaskWait).shape,
  result: z.optional(z.nullable(CallResult)),
  calls: z.array(CallResource),
  has_more_calls: z.boolean(),
});
export type TaskResource = z.infer<typeof TaskResource>;

/** A task in a list. */
export const ListedTask = z.extend(TaskFields, TaskWait.shape);
export type ListedTask = z.infer<typeof ListedTask>;

/** A task with its newest call, the default response. */
export function toTaskResource(
  { task, calls, hasMoreCalls }: TaskWithCalls,
  addresses: Pick<Addresses, 'recording'>,
): TaskResource {
  const [newest] = calls;
  return {
    ...taskFields(task),
    calls: newest === undefined ? [] : [callFields(newest, addresses)],
    has_more_calls: hasMoreCalls,
  };
}

export function taskFields(task: TaskFields): TaskFields {
  return {
    id: task.id,
    project_id: task.project_id,
    patient_id: task.patient_id,
    status: task.status,
    task_type: task.task_type,
    task: task.task,
    task_outcome: task.task_outcome,
    ...(task.external_id === undefined ? {} : { external_id: task.external_id }),
    ...(task.metadata === undefined ? {} : { metadata: task.metadata }),
    ...(task.call_after === undefined ? {} : { call_after: task.call_after }),
    ...(task.call_before === undefined ? {} : { call_before: task.call_before }),
    created_at: task.created_at,
    updated_at: task.updated_at,
  };
}

export function taskWait(task: TaskWait): TaskWait {
  return {
    next_attempt_at: task.next_attempt_at,
    next_attempt_reason: task.next_attempt_reason,
    waiting_for_line_since: task.waiting_for_line_since,
  };
}

export function callFields(call: Call, addresses: Pick<Addresses, 'recording'>): CallResource {
  const answered = wasAnswered(call);
  return {
    id: call.id,
    project_id: call.project_id,
    patient_id: call.patient_id,
    status: call.status,
    phone_number: call.phone_number,
    number: call.attempt,
    started_at: call.created_at,
    answered_at: answered ? answeredAt(call) : null,
    ended_at: call.ended_at,
    duration_seconds: answered ? call.talk_seconds : null,
    call_outcome: call.call_outcome,
    created_at: call.created_at,
    updated_at: call.updated_at,
    recording_url: call.recording.status === 'stored' ? addresses.recording(call.id) : null,
  };
}

/** Counted back from the end of the call. Sandbox seconds may be shorter, so it is no earlier than the start. */
function answeredAt({ created_at, ended_at, talk_seconds }: Call): string | null {
  if (ended_at === null || talk_seconds === null) return null;
  const answered = new Date(Date.parse(ended_at) - talk_seconds * 1000).toISOString();
  return answered < created_at ? created_at : answered;
}
