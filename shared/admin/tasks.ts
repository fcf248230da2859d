import * as z from 'zod/mini';
import { type CancelledTask, cancelTask } from '#shared/calls/cancel-task.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { NewTask, newTaskSchemas } from '#shared/domain/new-task.ts';
import type { Task } from '#shared/domain/task.ts';
import { RequestedTaskType, type TaskType } from '#shared/domain/task-type.ts';
import { managementAddresses } from '#shared/http/addresses.ts';
import { readJsonObject, validateNew } from '#shared/http/json-body.ts';
import { recordingLink } from '#shared/recordings/recording-link.ts';
import type { Table } from '#shared/table/client.ts';
import type { Remember } from '#shared/table/idempotency.ts';
import { getTask as findTask } from '#shared/table/task.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { getTask } from '#shared/tasks/get-task.ts';
import { listTasks, type TaskListRequest } from '#shared/tasks/list-tasks.ts';
import { checkNewTask } from '#shared/tasks/read-new-task.ts';
import { nextPageLink, type TaskRequest } from '#shared/tasks/task-request.ts';
import type { TaskResource } from '#shared/tasks/task-resource.ts';
import { auditItem, auditView } from './audit.ts';
import type { ProjectAccess } from './enter-project.ts';
import { checkNamedProject } from './named-project.ts';

const ProjectTaskBody = z.partial(NewTask, { project_id: true });
export type ProjectTaskBody = z.infer<typeof ProjectTaskBody>;

/** Bodies of `POST …/tasks` by the type of the task: those of `POST /v1/task`, whose project the path names already. */
export const projectTaskBodies = {
  SCHEDULE_APPOINTMENT: z.partial(newTaskSchemas.SCHEDULE_APPOINTMENT, { project_id: true }),
  VERIFY_INSURANCE: z.partial(newTaskSchemas.VERIFY_INSURANCE, { project_id: true }),
  REIMBURSEMENT: z.partial(newTaskSchemas.REIMBURSEMENT, { project_id: true }),
  CUSTOM_TASK: z.partial(newTaskSchemas.CUSTOM_TASK, { project_id: true }),
} satisfies Record<TaskType, z.ZodMiniType<ProjectTaskBody>>;

/** The body of `POST …/tasks`, checked as that of `POST /v1/task` is. */
export async function readProjectTask(request: { readonly body: Buffer }): Promise<ProjectTaskBody> {
  const body = readJsonObject(request);
  const taskType = RequestedTaskType.safeParse(body.task_type);
  const schema = taskType.success ? projectTaskBodies[taskType.data] : ProjectTaskBody;
  const newTask = validateNew(schema, body);
  await checkNewTask(newTask);
  return newTask;
}

/** Creates a task. Throws what `createTask` throws, and `invalid_request` for a body of another project. */
export async function orderTask(
  table: Table,
  access: ProjectAccess,
  body: ProjectTaskBody,
  remember: Remember<Task>,
  now: Date = new Date(),
): Promise<Task> {
  const projectId = checkNamedProject(access, body);
  return createTask(table, projectId, { ...body, project_id: projectId }, remember, now, (task) => [
    auditItem(table, access, { action: 'task.created', target: taskTarget(task.id) }, now),
  ]);
}

/** Cancels a task. Throws what `cancelTask` throws. */
export function withdrawTask(
  table: Table,
  access: ProjectAccess,
  taskId: string,
  remember: Remember<CancelledTask>,
  now: () => Date = () => new Date(),
): Promise<CancelledTask> {
  return cancelTask(table, access.project.id, taskId, remember, now, () => [
    auditItem(table, access, { action: 'task.cancelled', target: taskTarget(taskId) }, now()),
  ]);
}

interface ViewServices {
  readonly table: Table;
  readonly publicBaseUrl: string;
}

/**
 * A task with its calls, which the caller is written down to have seen, with what was said on them where they asked for
 * that. Throws `not_found`.
 */
export async function viewTask(
  { table, publicBaseUrl }: ViewServices,
  access: ProjectAccess,
  request: TaskRequest,
): Promise<{ body: TaskResource; headers: Record<string, string> }> {
  const addresses = managementAddresses(publicBaseUrl, access.project.id);
  const { resource, next } = await getTask({ table, addresses }, access.project.id, request);
  await auditView(table, access, {
    action: request.includeTranscript ? 'transcript.viewed' : 'task.viewed',
    target: taskTarget(request.taskId),
    after: { call_ids: resource.calls.map(({ id }) => id) },
  });
  return {
    body: resource,
    headers: next === null ? {} : { Link: nextPageLink(addresses, request, next) },
  };
}

/** What a task was asked to do, which the caller is written down to have seen. Throws `not_found`. */
export async function viewOrder(table: Table, access: ProjectAccess, taskId: string): Promise<Task> {
  const task = await findTask(table, taskId);
  if (task?.project_id !== access.project.id) throw new ServiceError('not_found', 'Task not found');
  await auditView(table, access, { action: 'task.viewed', target: taskTarget(taskId) });
  return task;
}

/** A page of the project's tasks, all of which the caller is written down to have seen. */
export async function viewTasks(
  { table, publicBaseUrl }: ViewServices,
  access: ProjectAccess,
  request: TaskListRequest,
): ReturnType<typeof listTasks> {
  const { id } = access.project;
  const page = await listTasks({ table, addresses: managementAddresses(publicBaseUrl, id) }, id, request);
  await auditView(table, access, {
    action: 'tasks.listed',
    target: { type: 'project', id },
    after: { task_ids: page.body.tasks.map((task) => task.id) },
  });
  return page;
}

/** A temporary address of a call's recording, which the caller is written down to have heard. Throws `not_found`. */
export async function viewRecording(
  { table, bucket }: { table: Table; bucket: string },
  access: ProjectAccess,
  callId: string,
): Promise<string> {
  const link = await recordingLink(table, bucket, access.project.id, callId);
  await auditView(table, access, { action: 'recording.viewed', target: { type: 'call', id: callId } });
  return link;
}

function taskTarget(taskId: string): { type: 'task'; id: string } {
  return { type: 'task', id: taskId };
}
