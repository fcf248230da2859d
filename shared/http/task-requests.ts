import type { Addresses } from '#shared/domain/addresses.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { type NewTask, newTaskSchema } from '#shared/domain/new-task.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import { RequestedTaskType, requestedTaskTypes, type TaskType } from '#shared/domain/task-type.ts';
import { type CallsPosition, decodeCursor, encodeCursor } from '#shared/tasks/calls-cursor.ts';
import { checkNewTask } from '#shared/tasks/check-new-task.ts';
import type { TaskRequest } from '#shared/tasks/get-task.ts';
import type { TaskListRequest } from '#shared/tasks/list-tasks.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { readJsonObject, validateNew } from './json-body.ts';
import { readListFilter, readReviewFilter } from './list-filters.ts';
import { readListPosition } from './list-page.ts';
import { readChoice, readCursor, readFlag, readPathId, readText } from './parameters.ts';
import { openResponseBudget } from './response-size-budget.ts';

/**
 * The body of `POST /v1/task`: checks `task_data` by task type and for what can be stored, and whether the number may
 * be called.
 */
export async function readNewTask(request: { readonly body: Buffer }): Promise<NewTask> {
  return toNewTask(readJsonObject(request));
}

/** As above, from a parsed body. */
export async function toNewTask(body: Record<string, unknown>): Promise<NewTask> {
  const newTask = validateNew(newTaskSchema(body.task_type), body);
  await checkNewTask(newTask);
  return newTask;
}

/** A cursor pages through all calls, so it implies including them. */
export function readTaskRequest(request: Pick<RawRequest, 'query' | 'pathParameters'>): TaskRequest {
  const taskId = readPathId(request, 'task_id', 'task');
  const cursor = readCursor(request);
  const position = cursor === null ? null : decodeCursor(taskId, cursor);
  return {
    taskId,
    includeTranscript: readFlag(request, 'include_transcript'),
    includeResult: readFlag(request, 'include_result'),
    includeAllCalls: readFlag(request, 'include_all_calls') || position !== null,
    position,
    openBudget: openResponseBudget,
  };
}

/** The `Link` header to the calls that a response to `request` omitted (RFC 8288). */
export function nextPageLink(
  addresses: Pick<Addresses, 'task'>,
  request: TaskRequest,
  next: CallsPosition,
): string {
  const query = new URLSearchParams({
    include_all_calls: 'true',
    ...(request.includeTranscript ? { include_transcript: 'true' } : {}),
    ...(request.includeResult ? { include_result: 'true' } : {}),
    cursor: encodeCursor(request.taskId, next),
  });
  return `<${addresses.task(request.taskId)}?${query.toString()}>; rel="next"`;
}

/** Reads the filters and the page of a task list from the query. */
export function readTaskListRequest(request: Pick<RawRequest, 'query'>): TaskListRequest {
  const patientId = readText(request, 'patient_id');
  return {
    ...readListPosition(request),
    ...readListFilter(request),
    ...readReviewFilter(request),
    status: readChoice(request, 'status', TaskStatus.options),
    taskType: toTaskType(readChoice(request, 'task_type', requestedTaskTypes)),
    patientId: patientId === null ? null : toPatientId(patientId),
  };
}

function toTaskType(requested: RequestedTaskType | null): TaskType | null {
  return requested === null ? null : RequestedTaskType.parse(requested);
}

function toPatientId(text: string): string {
  const id = Uuid.safeParse(text);
  if (id.success) return id.data;
  throw invalidField('patient_id', 'Invalid patient ID format');
}
