import { nextDueAt } from '#shared/calls/lifecycle/deadlines.ts';
import type { Call } from '#shared/domain/call.ts';
import { type Project, usualCallSeconds } from '#shared/domain/project.ts';
import { unknownRecording } from '#shared/domain/recording.ts';
import type { Task } from '#shared/domain/task.ts';

/** The task's next attempt, claimed and not yet placed, with the project's limits on this line. */
export function newCall(
  task: Task,
  { carrier, call_policy }: Pick<Project, 'carrier' | 'call_policy'>,
  now: Date,
  id: string,
): Call {
  const { max_call_seconds } = call_policy;
  const call: Call = {
    id,
    task_id: task.id,
    project_id: task.project_id,
    patient_id: task.patient_id,
    attempt: task.attempts + 1,
    reason: task.next_attempt_reason,
    carrier,
    phone_number: task.phone_number,
    status: 'IN_PROGRESS',
    submission: 'claimed',
    carrier_call_sid: null,
    carrier_progress: 'queued',
    carrier_sequence: -1,
    sip_response_code: null,
    carrier_error_code: null,
    max_talk_seconds: max_call_seconds === usualCallSeconds ? null : max_call_seconds,
    talk_seconds: null,
    session_status: null,
    session_error_code: null,
    answered_by: null,
    end_requested_at: null,
    recording: unknownRecording,
    closed_by: null,
    call_outcome: null,
    result: null,
    due_at: null,
    ended_at: null,
    completed_at: null,
    outlived_task: false,
    ...(task.trace_id === undefined ? {} : { trace_id: task.trace_id }),
    version: 1,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  return { ...call, due_at: nextDueAt(call, now) };
}
