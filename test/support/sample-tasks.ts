import type { Call } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import {
  alwaysOpen,
  defaultCallPolicy,
  defaultMaxConcurrentCalls,
  defaultRedialPolicy,
  type Project,
} from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';

/** The instant at which invented projects and tasks are made. */
export const sampleTime = '2026-03-02T15:00:00.000Z';

/** An invented project of the sandbox carrier. */
export function sampleProject(changes: Partial<Project> = {}): Project {
  return {
    id: uuidv7(),
    name: 'Example Clinic',
    carrier: 'sandbox',
    enabled_task_types: ['SCHEDULE_APPOINTMENT', 'VERIFY_INSURANCE', 'REIMBURSEMENT', 'CUSTOM_TASK'],
    caller_number: '+12025550199',
    redial_policy: defaultRedialPolicy,
    call_policy: defaultCallPolicy,
    calling_hours: alwaysOpen,
    max_concurrent_calls: defaultMaxConcurrentCalls,
    recording_retention_days: null,
    created_at: sampleTime,
    updated_at: sampleTime,
    ...changes,
  };
}

/** An invented task that waits for its first dial. */
export function sampleTask(project: Pick<Project, 'id'>, changes: Partial<Task> = {}): Task {
  return {
    id: uuidv7(),
    project_id: project.id,
    patient_id: uuidv7(),
    status: 'PENDING',
    task_type: 'CUSTOM_TASK',
    task: 'Ask for the opening hours of the practice.',
    phone_number: '+12025550103',
    task_data: null,
    task_outcome: null,
    attempts: 0,
    current_call_id: null,
    last_call_id: null,
    next_attempt_at: sampleTime,
    next_attempt_reason: 'The first call follows.',
    waiting_for_line_since: null,
    result: null,
    created_at: sampleTime,
    updated_at: sampleTime,
    ...changes,
  };
}

/** An invented call of a task that was claimed a moment ago. */
export function sampleCall(task: Task, changes: Partial<Call> = {}): Call {
  return {
    id: uuidv7(),
    task_id: task.id,
    project_id: task.project_id,
    patient_id: task.patient_id,
    attempt: 1,
    carrier: 'sandbox',
    phone_number: task.phone_number,
    status: 'IN_PROGRESS',
    submission: 'claimed',
    carrier_call_sid: null,
    carrier_progress: 'queued',
    carrier_sequence: -1,
    sip_response_code: null,
    talk_seconds: null,
    session_status: null,
    answered_by: null,
    end_requested_at: null,
    recording: {
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
    },
    closed_by: null,
    call_outcome: null,
    result: null,
    due_at: null,
    ended_at: null,
    completed_at: null,
    version: 1,
    created_at: sampleTime,
    updated_at: sampleTime,
    ...changes,
  };
}

/** What an invented conversation came to: an answer, and the goal. */
export function sampleResult(changes: Partial<CallResult> = {}): CallResult {
  return {
    goal_reached: true,
    definite: true,
    answers: [],
    ending: 'finished',
    reference_number: null,
    person_name: null,
    follow_up: null,
    disclosures: [],
    summary: 'The practice opens at eight.',
    ...changes,
  };
}
