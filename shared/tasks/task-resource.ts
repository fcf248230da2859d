import * as z from 'zod/mini';
import { Call } from '#shared/domain/call.ts';
import { CallResult } from '#shared/domain/call-result.ts';
import { Turn } from '#shared/domain/conversation.ts';
import { Task } from '#shared/domain/task.ts';

/** One thing that was said, as clients read it. */
export const TranscriptEntry = z.pick(Turn, { role: true, content: true });
export type TranscriptEntry = z.infer<typeof TranscriptEntry>;

/** A call as clients read it. `transcripts` and `result` are there only when they were asked for. */
export const CallResource = z.extend(
  z.pick(Call, {
    id: true,
    project_id: true,
    patient_id: true,
    status: true,
    call_outcome: true,
    created_at: true,
    updated_at: true,
  }),
  {
    /** Null until the recording can be fetched, and for ever when there is none. */
    recording_url: z.nullable(z.string()),
    transcripts: z.optional(z.array(TranscriptEntry)),
    result: z.optional(z.nullable(CallResult)),
  },
);
export type CallResource = z.infer<typeof CallResource>;

/** A task as `GET /v1/task/{task_id}` returns it. */
export const TaskResource = z.extend(
  z.pick(Task, {
    id: true,
    project_id: true,
    patient_id: true,
    status: true,
    task_type: true,
    task: true,
    task_outcome: true,
    created_at: true,
    updated_at: true,
  }),
  {
    result: z.optional(z.nullable(CallResult)),
    calls: z.array(CallResource),
    has_more_calls: z.boolean(),
  },
);
export type TaskResource = z.infer<typeof TaskResource>;
