import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { findGrantProblem, isLeftBehind } from '#shared/domain/live-bounds.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { findProjectNumberProblem } from '#shared/domain/number-rules.ts';
import { calledLaterReason, firstCallReason, type Task } from '#shared/domain/task.ts';
import { writeNamed } from '#shared/projects/external-ids.ts';
import type { Table } from '#shared/table/client.ts';
import { taskName } from '#shared/table/external-id.ts';
import { usePatientItem } from '#shared/table/patient.ts';
import { checkMayCallAnyone, checkProjectUnchanged, getProject } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import {
  type Alongside,
  nothingAlongside,
  refusedAs,
  type TransactionItem,
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
 * finds the task by its due time if the queue message is lost. Throws `forbidden` for another project, a task
 * type that is not enabled or a project without the grant to call, `invalid_request` for a number that the
 * project may not call, `not_found` for a patient that the project does not have, `external_id_taken`, and
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
  const patientInProject = usePatientItem(table, task.patient_id, task.project_id, now);
  // A project of the sandbox is not even read: the transaction checks what there is to check.
  let projectAllows = checkMayCallAnyone(table, task.project_id, task.task_type);
  for (let tries = 1; ; tries += 1) {
    try {
      await writeNamed(table, taskName(task), task.id, (name) =>
        writeContendedTransaction(table, [
          ...alongside(task),
          refusedAs(projectAllows, () => new RulesToRead()),
          refusedAs(patientInProject, () => new ServiceError('not_found', 'Patient not found')),
          ...name,
          createTaskItem(table, task),
        ]),
      );
      return task;
    } catch (error) {
      if (!(error instanceof RulesToRead) || tries === maxTries) throw error;
      projectAllows = await checkByRules(table, task);
    }
  }
}

/** How often the project may be changed by others while a task of it is created. */
const maxTries = 5;

/** Whether the project allows the task depends on more than was checked. */
class RulesToRead extends Error {}

/** Throws when the project may not create the task, else returns the check that it is still the project that may. */
async function checkByRules(table: Table, task: Task): Promise<TransactionItem> {
  const project = await getProject(table, task.project_id, { consistently: true });
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
  return checkProjectUnchanged(table, project);
}

function toTask(newTask: NewTask, now: Date): Task {
  const createdAt = now.toISOString();
  const isLater = newTask.call_after !== undefined && newTask.call_after > createdAt;
  return {
    ...newTask,
    id: uuidv7(now.getTime()),
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
    created_at: createdAt,
    updated_at: createdAt,
  };
}
