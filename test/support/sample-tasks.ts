import { newCall } from '#shared/calls/dial/new-call.ts';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import type { Call } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { type LiveGrant, usualGrant } from '#shared/domain/live-grant.ts';
import type { Patient } from '#shared/domain/patient.ts';
import {
  alwaysOpen,
  defaultCallPolicy,
  defaultMaxConcurrentCalls,
  defaultRedialPolicy,
  type Project,
} from '#shared/domain/project.ts';
import { firstCallReason, type Task } from '#shared/domain/task.ts';
import type { ConversationInput } from '#shared/table/conversation.ts';

/** When sample projects and tasks were created. */
export const sampleTime = '2026-03-02T15:00:00.000Z';

/** An operator's old grant to a sample live project. */
export const sampleGrant: LiveGrant = {
  ...usualGrant,
  countries: ['US', 'CA'],
  caller_number: '+12025550199',
  since: '2026-01-01T00:00:00.000Z',
  granted_at: '2026-01-01T00:00:00.000Z',
  withdrawn_at: null,
};

/** A sample project, on the sandbox carrier by default. */
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
    default_country: 'US',
    time_zone: null,
    task_retention_days: null,
    patient_retention_days: null,
    audit_retention_days: null,
    legal_hold: false,
    agent: defaultAgentSettings,
    allowed_countries: null,
    live_grant: changes.carrier === 'live' ? sampleGrant : null,
    created_at: sampleTime,
    updated_at: sampleTime,
    ...changes,
  };
}

/** An invented patient of a project. */
export function samplePatient({ id }: Pick<Project, 'id'>, changes: Partial<Patient> = {}): Patient {
  return {
    id: uuidv7(),
    project_id: id,
    first_name: 'Maya',
    last_name: 'Rivera',
    phone_number: '+12025550142',
    date_of_birth: '1984-07-12',
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
    next_attempt_reason: firstCallReason,
    waiting_for_line_since: null,
    result: null,
    created_at: sampleTime,
    updated_at: sampleTime,
    ...changes,
  };
}

/** A sample call of a task, claimed a moment ago, by default the first one, and without a due time. */
export function sampleCall(task: Task, changes: Partial<Call> = {}): Call {
  const call = newCall(
    task,
    { carrier: 'sandbox', call_policy: defaultCallPolicy },
    new Date(sampleTime),
    uuidv7(),
  );
  const hasEnded = (changes.status ?? call.status) !== 'IN_PROGRESS';
  return { ...call, attempt: 1, due_at: null, ended_at: hasEnded ? sampleTime : null, ...changes };
}

/** The outcome of a sample conversation: an answer, and the goal. */
export function sampleResult(changes: Partial<CallResult> = {}): CallResult {
  return {
    goal_reached: true,
    definite: true,
    answers: [],
    ending: 'finished',
    obstacle: null,
    reference_number: null,
    person_name: null,
    follow_up: null,
    disclosures: [],
    summary: 'The practice opens at eight.',
    ...changes,
  };
}

/** The conversation of a call that has just begun, by default of an unrelated task and project. */
export function sampleConversation(
  call_id: string,
  changes: Partial<ConversationInput> = {},
): ConversationInput {
  return {
    call_id,
    task_id: uuidv7(),
    project_id: uuidv7(),
    carrier_call_sid: '',
    connection_id: '',
    epoch: 0,
    turn_count: 0,
    offset_ms: 0,
    status: 'open',
    state: null,
    started_at: sampleTime,
    updated_at: sampleTime,
    ...changes,
  };
}
