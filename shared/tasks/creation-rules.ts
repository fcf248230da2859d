import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { findGrantProblem, isLeftBehind } from '#shared/domain/live-bounds.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { findProjectNumberProblem } from '#shared/domain/number-rules.ts';
import type { Project } from '#shared/domain/project.ts';
import { calledLaterReason, firstCallReason, type Task } from '#shared/domain/task.ts';
import { keptTrace } from '#shared/observability/trace.ts';

/* The checks before a task is created, shared by single tasks, batches and dry runs. */

/** Throws `forbidden` when the task is for a project other than the caller's. */
export function checkOwnProject({ project_id }: Pick<NewTask, 'project_id'>, projectId: string): void {
  if (project_id === projectId) return;
  throw new ServiceError('forbidden', 'API key does not grant access to this project');
}

/**
 * The project, if it may create the task. Throws `forbidden`, `task_type_not_enabled`, `conflict`, `invalid_request`,
 * and `not_found` for an unknown project.
 */
export async function checkProjectAllows(
  project: Project | null,
  task: Pick<Task, 'task_type' | 'phone_number' | 'created_at'>,
): Promise<Project> {
  if (project === null) throw new ServiceError('not_found', 'Project not found');
  if (!project.enabled_task_types.includes(task.task_type)) {
    throw new ServiceError(
      'task_type_not_enabled',
      `Task type ${task.task_type} is not enabled for this project`,
    );
  }
  const grantProblem = findGrantProblem(project);
  if (grantProblem !== null) throw new ServiceError('forbidden', grantProblem.replace(/\.$/, ''));
  if (isLeftBehind(project, task.created_at)) {
    throw new ServiceError(
      'conflict',
      'The project is going live at this moment; try again in a few seconds',
    );
  }
  const numberProblem = await findProjectNumberProblem(project, task.phone_number);
  if (numberProblem !== null) throw invalidField('phone_number', `phone_number ${numberProblem}`);
  return project;
}

export function patientNotFound(): ServiceError {
  return new ServiceError('not_found', 'Patient not found');
}

/** A task created at `now`, due at once unless the client set a later time. */
export function toTask(newTask: NewTask, now: Date, id: string = uuidv7(now.getTime())): Task {
  const createdAt = now.toISOString();
  const isLater = newTask.call_after !== undefined && newTask.call_after > createdAt;
  return {
    ...newTask,
    id,
    status: 'PENDING',
    task_data: newTask.task_data ?? null,
    task_outcome: null,
    attempts: 0,
    current_call_id: null,
    last_call_id: null,
    next_attempt_at: isLater ? (newTask.call_after ?? createdAt) : createdAt,
    next_attempt_reason: isLater ? calledLaterReason : firstCallReason,
    waiting_for_line_since: null,
    result: null,
    ...keptTrace(),
    created_at: createdAt,
    updated_at: createdAt,
  };
}
