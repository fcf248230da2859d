import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Project } from '#shared/domain/project.ts';
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
    redial_policy: { max_attempts: 3, delays_seconds: [300, 1800] },
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
    next_attempt_reason: 'first call',
    result: null,
    created_at: sampleTime,
    updated_at: sampleTime,
    ...changes,
  };
}
