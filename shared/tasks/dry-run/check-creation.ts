import type { NewTask } from '#shared/domain/new-task.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { checkNameFree } from '#shared/projects/external-ids.ts';
import type { Table } from '#shared/table/client.ts';
import { taskName } from '#shared/table/external-id.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getProject } from '#shared/table/project.ts';
import { checkSandboxPhone } from '../check-sandbox-phone.ts';
import { checkOwnProject, checkProjectAllows, patientNotFound, toTask } from '../creation-rules.ts';

/** A task that could be created now, with its project and patient. */
export interface CreatableTask {
  readonly project: Project;
  readonly patient: Patient;
  readonly task: Task;
}

/** Checks what `createTask` checks, and writes nothing. Throws what `createTask` throws. */
export async function checkCreation(
  { table, hasSandboxPhone }: { readonly table: Table; readonly hasSandboxPhone: boolean },
  projectId: string,
  newTask: NewTask,
  now = new Date(),
): Promise<CreatableTask> {
  const task = toTask(newTask, now);
  const [found, patient] = await Promise.all([
    getProject(table, projectId, { consistently: true }),
    getPatient(table, task.patient_id),
  ]);
  if (found !== null) checkSandboxPhone(found, hasSandboxPhone);
  checkOwnProject(newTask, projectId);
  const project = await checkProjectAllows(found, task);
  if (patient?.project_id !== projectId) throw patientNotFound();
  const name = taskName(task);
  if (name !== null) await checkNameFree(table, name);
  return { project, patient, task };
}
