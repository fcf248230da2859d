import type { NewTask } from '#shared/domain/new-task.ts';
import type { Task } from '#shared/domain/task.ts';
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
import { checkOwnProject, checkProjectAllows, patientNotFound, toTask } from './creation-rules.ts';

export interface TaskCreation {
  /** The caller's project. */
  readonly projectId: string;
  readonly newTask: NewTask;
  readonly now?: Date;
  /** When the client ordered it; now by default. */
  readonly createdAt?: Date;
  /** New by default. */
  readonly id?: string;
  readonly alongside?: Alongside<Task>;
}

/**
 * Creates a task that is due at once. The write and its preconditions are one transaction, and the sweeper finds the
 * task by its due time if the queue message is lost. Throws `forbidden` for another project, a disabled task type or a
 * project without a grant, `invalid_request` for a number that the project may not call, `not_found` for an unknown
 * patient, `external_id_taken`, and `IdempotencyKeyTaken` when the task has already been created.
 */
export async function createTask(
  table: Table,
  { projectId, newTask, now = new Date(), createdAt = now, id, alongside = nothingAlongside }: TaskCreation,
): Promise<Task> {
  checkOwnProject(newTask, projectId);
  // Nobody could read it before: a client that asks for what has changed must not miss it.
  const task = { ...toTask(newTask, createdAt, id), updated_at: now.toISOString() };
  const patientInProject = usePatientItem(table, task.patient_id, task.project_id, now);
  // A sandbox project is not even read: the transaction checks everything.
  let projectAllows = checkMayCallAnyone(table, task.project_id, task.task_type);
  for (let tries = 1; ; tries += 1) {
    try {
      await writeNamed(table, taskName(task), task.id, (name) =>
        writeContendedTransaction(table, [
          ...alongside(task),
          refusedAs(projectAllows, () => new RulesToRead()),
          refusedAs(patientInProject, patientNotFound),
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

/** How many concurrent project changes the creation of a task tolerates. */
const maxTries = 5;

/** Whether the project allows the task depends on more than was checked. */
class RulesToRead extends Error {}

/** Throws when the project may not create the task; otherwise returns the check that it is unchanged. */
async function checkByRules(table: Table, task: Task): Promise<TransactionItem> {
  const project = await getProject(table, task.project_id, { consistently: true });
  return checkProjectUnchanged(table, await checkProjectAllows(project, task));
}
