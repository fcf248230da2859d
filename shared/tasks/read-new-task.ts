import { ServiceError } from '#shared/domain/errors.ts';
import { type NewTask, newTaskSchema } from '#shared/domain/new-task.ts';
import { readJsonObject } from '#shared/http/json-body.ts';
import { formatPath, validate } from '#shared/http/validate.ts';
import { findStorageProblem } from '#shared/table/storable.ts';

/**
 * The body of `POST /v1/task`, whose `task_data` is checked by its type and, being free-form, for what can be stored.
 * Whether the project may call the number is for `createTask` to say, apart from emergency numbers, which nobody may.
 */
export async function readNewTask(request: { readonly body: Buffer }): Promise<NewTask> {
  const body = readJsonObject(request);
  const newTask = validate(newTaskSchema(body.task_type), body);
  await checkNewTask(newTask);
  return newTask;
}

/** What a schema cannot say of a task: that its data can be stored, and that nobody is called who saves lives. */
export async function checkNewTask(newTask: Pick<NewTask, 'task_data' | 'phone_number'>): Promise<void> {
  checkStorable(newTask);
  await checkCallable(newTask.phone_number);
}

function checkStorable({ task_data }: Pick<NewTask, 'task_data'>): void {
  const problem = findStorageProblem(task_data ?? {}, ['task_data']);
  switch (problem?.kind) {
    case undefined:
      return;
    case 'rule':
      throw new ServiceError('invalid_request', `${formatPath(problem.path)} ${problem.rule}`);
    case 'size':
      throw new ServiceError('payload_too_large', 'task_data is too large to be stored');
  }
}

async function checkCallable(phoneNumber: string): Promise<void> {
  // Longer than every emergency number with a country code before it.
  if (phoneNumber.length > 9) return;
  // The numbering plans of the world are larger than the rest of the function, which can start without them.
  const { isEmergencyNumber } = await import('../domain/callable-number.ts');
  if (isEmergencyNumber(phoneNumber)) {
    throw new ServiceError(
      'invalid_request',
      'phone_number must not be an emergency number or another short number',
    );
  }
}
