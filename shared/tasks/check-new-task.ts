import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import { formatPath } from '#shared/domain/member-path.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { findStorageProblem } from '#shared/table/storable.ts';

/** What a schema cannot say of a task: that its data can be stored, and that its number may be called. */
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
      throw invalidField(formatPath(problem.path), `${formatPath(problem.path)} ${problem.rule}`);
    case 'size':
      throw new ServiceError('payload_too_large', 'task_data is too large to be stored');
  }
}

async function checkCallable(phoneNumber: string): Promise<void> {
  // The numbering plans of the world are larger than the rest of the function, which can start without them.
  const { findNumberProblem } = await import('../domain/callable-number.ts');
  const problem = findNumberProblem(phoneNumber);
  if (problem !== null) throw invalidField('phone_number', `phone_number ${problem}`);
}
