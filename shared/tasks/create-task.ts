import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { firstCallReason, type Task } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { Table } from '#shared/table/client.ts';
import { checkPatientInProject } from '#shared/table/patient.ts';
import { checkTaskTypeEnabled } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import {
  type Alongside,
  nothingAlongside,
  refusedAs,
  writeContendedTransaction,
} from '#shared/table/transaction.ts';

export interface TaskCreation {
  /** The project of whoever asks. */
  readonly projectId: string;
  readonly newTask: NewTask;
  readonly now?: Date;
  readonly alongside?: Alongside<Task>;
}

/**
 * Creates a task that is due at once: the write and its preconditions are one transaction, and the sweeper
 * finds the task by its due time if the queue message is lost. Throws `forbidden` for another project or a
 * task type that is not enabled, `not_found` for a patient that the project does not have,
 * `IdempotencyKeyTaken` when the task has been made already.
 */
export async function createTask(
  table: Table,
  { projectId, newTask, now = new Date(), alongside = nothingAlongside }: TaskCreation,
): Promise<Task> {
  if (newTask.project_id !== projectId) {
    throw new ServiceError('forbidden', 'API key does not grant access to this project');
  }
  const task = toTask(newTask, now);
  const typeEnabled = checkTaskTypeEnabled(table, task.project_id, task.task_type);
  const patientInProject = checkPatientInProject(table, task.patient_id, task.project_id);
  await writeContendedTransaction(table, [
    ...alongside(task),
    refusedAs(typeEnabled, () => typeNotEnabled(task.task_type)),
    refusedAs(patientInProject, () => new ServiceError('not_found', 'Patient not found')),
    createTaskItem(table, task),
  ]);
  return task;
}

function typeNotEnabled(taskType: TaskType): ServiceError {
  return new ServiceError('task_type_not_enabled', `Task type ${taskType} is not enabled for this project`);
}

function toTask(newTask: NewTask, now: Date): Task {
  const createdAt = now.toISOString();
  return {
    ...newTask,
    id: uuidv7(now.getTime()),
    status: 'PENDING',
    task_data: newTask.task_data ?? null,
    task_outcome: null,
    attempts: 0,
    current_call_id: null,
    last_call_id: null,
    next_attempt_at: createdAt,
    next_attempt_reason: firstCallReason,
    waiting_for_line_since: null,
    result: null,
    created_at: createdAt,
    updated_at: createdAt,
  };
}
