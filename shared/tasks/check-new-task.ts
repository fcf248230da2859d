import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { findStorageProblem } from '#shared/table/storable.ts';

type NewTaskFacts = Pick<NewTask, 'task_data' | 'phone_number' | 'call_after' | 'call_before'>;

/**
 * The checks of a task that a schema cannot express: that its data can be stored, that there is time for its calls,
 * and that its number is not an emergency number. `createTask` checks whether its project may call the number.
 */
export async function checkNewTask(newTask: NewTaskFacts): Promise<void> {
  checkStorable(newTask);
  checkWindow(newTask);
  await checkCallable(newTask.phone_number);
}

function checkWindow({ call_after, call_before }: NewTaskFacts): void {
  if (call_before === undefined) return;
  const earliest = [new Date().toISOString(), call_after ?? ''].sort().at(-1) ?? '';
  if (call_before > earliest) return;
  throw invalidField('call_before', 'call_before must be in the future and after call_after');
}

function checkStorable({ task_data }: Pick<NewTask, 'task_data'>): void {
  const problem = findStorageProblem(task_data ?? {});
  switch (problem?.kind) {
    case undefined:
      return;
    case 'rule':
      throw invalidField('task_data', `task_data ${problem.rule}`);
    case 'size':
      throw new ServiceError('payload_too_large', 'task_data is too large to be stored');
  }
}

async function checkCallable(phoneNumber: string): Promise<void> {
  // Longer than every emergency number with a country code.
  if (phoneNumber.length > 9) return;
  // The world's numbering plans are larger than the rest of the function, which can start without them.
  const { isEmergencyNumber } = await import('../domain/callable-number.ts');
  if (!isEmergencyNumber(phoneNumber)) return;
  throw invalidField('phone_number', 'phone_number must not be an emergency number or another short number');
}
