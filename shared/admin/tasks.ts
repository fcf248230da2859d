import * as z from 'zod/mini';
import { recordingSeen, taskCancelled, taskCreated, taskSeen, tasksSeen } from '#shared/audit/actions.ts';
import type { Addresses } from '#shared/domain/addresses.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { NewTask, newTaskSchemas } from '#shared/domain/new-task.ts';
import type { Task } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import { recordingLink } from '#shared/recordings/recording-link.ts';
import type { Table } from '#shared/table/client.ts';
import { getTask as findTask } from '#shared/table/task.ts';
import { type Alongside, nothingAlongside } from '#shared/table/transaction.ts';
import { type CancelledTask, cancelTask } from '#shared/tasks/cancel-task.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { getTask, type TaskPage, type TaskRequest } from '#shared/tasks/get-task.ts';
import { listTasks, type TaskList, type TaskListRequest } from '#shared/tasks/list-tasks.ts';
import { auditItem, auditView } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';
import { checkNamedProject } from './named-project.ts';

export const ProjectTaskBody = z.partial(NewTask, { project_id: true });
export type ProjectTaskBody = z.infer<typeof ProjectTaskBody>;

/** Bodies of `POST …/tasks` by task type: those of `POST /v1/task`, without the project, which the path names. */
export const projectTaskBodies = {
  SCHEDULE_APPOINTMENT: z.partial(newTaskSchemas.SCHEDULE_APPOINTMENT, { project_id: true }),
  VERIFY_INSURANCE: z.partial(newTaskSchemas.VERIFY_INSURANCE, { project_id: true }),
  REIMBURSEMENT: z.partial(newTaskSchemas.REIMBURSEMENT, { project_id: true }),
  CUSTOM_TASK: z.partial(newTaskSchemas.CUSTOM_TASK, { project_id: true }),
} satisfies Record<TaskType, z.ZodMiniType<ProjectTaskBody>>;

/** Creates a task. Throws what `createTask` throws, and `invalid_request` for a body of another project. */
export async function createProjectTask(
  table: Table,
  access: ProjectAccess,
  body: ProjectTaskBody,
  remember: Alongside<Task> = nothingAlongside,
): Promise<Task> {
  const projectId = checkNamedProject(access, body);
  return createTask(table, {
    projectId,
    newTask: { ...body, project_id: projectId },
    alongside: (task) => [...remember(task), auditItem(table, access, taskCreated(task))],
  });
}

/** Cancels a task. Throws what `cancelTask` throws. */
export function cancelProjectTask(
  table: Table,
  access: ProjectAccess,
  taskId: string,
  remember: Alongside<CancelledTask> = nothingAlongside,
): Promise<CancelledTask> {
  return cancelTask(table, {
    projectId: access.project.id,
    taskId,
    alongside: (cancelled) => [
      ...remember(cancelled),
      auditItem(table, access, taskCancelled(cancelled.task)),
    ],
  });
}

/** A task with its calls and, if requested, their transcripts; audited as seen by the caller. Throws `not_found`. */
export async function viewTask(
  { table, addresses }: { readonly table: Table; readonly addresses: Addresses },
  access: ProjectAccess,
  request: TaskRequest,
): Promise<TaskPage> {
  const page = await getTask({ table, addresses }, access.project.id, request);
  await auditView(table, access, taskSeen(page.resource, request));
  return page;
}

/** A task's instructions; audited as seen by the caller. Throws `not_found`. */
export async function viewTaskInput(table: Table, access: ProjectAccess, taskId: string): Promise<Task> {
  const task = await findTask(table, taskId);
  if (task?.project_id !== access.project.id) throw new ServiceError('not_found', 'Task not found');
  await auditView(table, access, {
    action: 'task.viewed',
    target: { type: 'task', id: taskId },
    patientIds: [task.patient_id],
  });
  return task;
}

/** A page of the project's tasks; audited as seen by the caller. */
export async function viewTasks(
  table: Table,
  access: ProjectAccess,
  request: TaskListRequest,
): Promise<TaskList> {
  const { id } = access.project;
  const page = await listTasks(table, id, request);
  await auditView(table, access, tasksSeen(id, page.tasks));
  return page;
}

/** A temporary URL of a call's recording; audited as heard by the caller. Throws `not_found`. */
export async function viewRecording(
  { table, bucket }: { table: Table; bucket: string },
  access: ProjectAccess,
  callId: string,
  options: { readonly fileName?: string } = {},
): Promise<string> {
  const link = await recordingLink(table, bucket, access.project.id, callId, options);
  await auditView(table, access, recordingSeen(callId));
  return link;
}
