import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { isOptedOut, onDoNotCallList } from '#shared/admin/opt-outs.ts';
import { createProjectTask, type ProjectTaskBody } from '#shared/admin/tasks.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import type { Task } from '#shared/domain/task.ts';
import { checkNewTask } from '#shared/tasks/check-new-task.ts';
import { checkSandboxPhone } from '#shared/tasks/check-sandbox-phone.ts';
import { enqueueDial } from '#shared/tasks/enqueue-dial.ts';
import type { DashboardServices } from '../dashboard-services.ts';
import { makeOnce } from '../forms/form-key.ts';

const route = '/projects/:project_id/tasks/:task_id/call-again';

/**
 * Creates a copy of the task through `makeOnce`. Throws what `createTask` throws, and `conflict` for a number on the Do
 * Not Call list.
 */
export async function callAgainOnce(
  { table, callQueue, hasSandboxPhone }: DashboardServices,
  access: ProjectAccess,
  { task_type, patient_id, task, phone_number, task_data }: Task,
  key: string,
): Promise<string | null> {
  const body: ProjectTaskBody = {
    task_type,
    patient_id,
    task,
    phone_number,
    ...(task_data === null ? {} : { task_data }),
  };
  await checkNewTask(body);
  checkSandboxPhone(access.project, hasSandboxPhone);
  if (await isOptedOut(table, access, phone_number)) {
    throw new ServiceError('conflict', `The number ${onDoNotCallList}`);
  }
  return makeOnce(table, { scope: access.project.id, key, route, body }, async (remember) => {
    const again = await createProjectTask(table, access, body, ({ id }) => remember({ id }));
    await enqueueDial(callQueue, again);
    return { id: again.id };
  });
}
