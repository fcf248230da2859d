import { ServiceError } from '#shared/domain/errors.ts';
import { type NewTask, newTaskSchema } from '#shared/domain/new-task.ts';
import { readJsonObject } from '#shared/http/json-body.ts';
import { formatPath, validate } from '#shared/http/validate.ts';
import { findStorageProblem } from '#shared/table/storable.ts';

/** The body of `POST /v1/task`, whose `task_data` is checked by its type and, being free-form, for what can be stored. */
export function readNewTask(request: { readonly body: Buffer }): NewTask {
  const body = readJsonObject(request);
  const newTask = validate(newTaskSchema(body.task_type), body);
  const problem = findStorageProblem(newTask.task_data ?? {}, ['task_data']);
  switch (problem?.kind) {
    case undefined:
      return newTask;
    case 'rule':
      throw new ServiceError('invalid_request', `${formatPath(problem.path)} ${problem.rule}`);
    case 'size':
      throw new ServiceError('payload_too_large', 'task_data is too large to be stored');
  }
}
