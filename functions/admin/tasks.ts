import { authorizeProject } from '#shared/admin/authorize-project.ts';
import { eraseTaskOf } from '#shared/admin/erasures.ts';
import type { ManagementServices } from '#shared/admin/management-services.ts';
import {
  cancelProjectTask,
  createProjectTask,
  type ProjectTaskBody,
  viewRecording,
} from '#shared/admin/tasks.ts';
import { Created } from '#shared/domain/created.ts';
import { tryToEnqueueErasure } from '#shared/erasure/erasure-queue.ts';
import { getErasureReceipt } from '#shared/erasure/order-erasure.ts';
import { managementAddresses } from '#shared/http/addresses.ts';
import { getTaskViewed, listTasksViewed } from '#shared/http/admin-lists.ts';
import { readProjectId, readProjectTask } from '#shared/http/admin-requests.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { readTaskListRequest, readTaskRequest } from '#shared/http/task-requests.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import type { taskOperations } from '#shared/operations/admin/tasks.ts';
import type { CancelledTask } from '#shared/tasks/cancel-task.ts';
import { checkSandboxPhone } from '#shared/tasks/check-sandbox-phone.ts';
import { enqueueDial, enqueueEnd } from '#shared/tasks/enqueue-dial.ts';
import { getOwnTask } from '#shared/tasks/get-task.ts';
import { toTaskResource } from '#shared/tasks/task-resource.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';

export function taskHandlers(services: ManagementServices): AdminHandlers<typeof taskOperations> {
  const { table, callQueue, hasSandboxPhone, publicBaseUrl } = services;
  return {
    listProjectTasks: async (caller, request) => {
      const list = readTaskListRequest(request);
      const access = await authorizeProject(table, caller, readProjectId(request), 'tasks.read');
      return listTasksViewed(services, access, list);
    },
    createProjectTask: async (caller, request) => {
      const newTask = await readProjectTask(request);
      // Authorizes before looking up a stored response by the key: a response belongs to its project.
      const access = await authorizeProject(table, caller, readProjectId(request), 'tasks.write');
      checkSandboxPhone(access.project, hasSandboxPhone);
      const order = idempotent({ table, body: Created }, async (_, body: ProjectTaskBody, remember) => {
        const task = await createProjectTask(table, access, body, ({ id }) => remember({ id }));
        await enqueueDial(callQueue, task);
        return { id: task.id };
      });
      return order({ projectId: access.project.id }, newTask, request);
    },
    getProjectTask: async (caller, request) => {
      const task = readTaskRequest(request);
      const access = await authorizeProject(table, caller, readProjectId(request), 'tasks.read');
      return getTaskViewed(services, access, task);
    },
    cancelProjectTask: async (caller, request) => {
      const taskId = readPathId(request, 'task_id', 'task');
      const access = await authorizeProject(table, caller, readProjectId(request), 'tasks.write');
      const addresses = managementAddresses(publicBaseUrl, access.project.id);
      const done: CancelledTask[] = [];
      const cancel = idempotent({ table, body: Created }, async (_, id: string, remember) => {
        const cancelled = await cancelProjectTask(table, access, id, ({ task }) => remember({ id: task.id }));
        if (cancelled.callToEnd !== null) await enqueueEnd(callQueue, cancelled.callToEnd);
        done.push(cancelled);
        return { id: cancelled.task.id };
      });
      const { body, ...answer } = await cancel({ projectId: access.project.id }, taskId, request);
      // As for clients, a repetition is answered from the table.
      const [task = await getOwnTask(table, access.project.id, body.id)] = done;
      return { ...answer, body: toTaskResource(task, addresses) };
    },
    deleteProjectTask: async (caller, request) => {
      const taskId = readPathId(request, 'task_id', 'task');
      const access = await authorizeProject(table, caller, readProjectId(request), 'records.erase');
      const erasure = await eraseTaskOf(table, access, taskId);
      await tryToEnqueueErasure(services.erasureQueue, erasure.id);
      return { body: erasure };
    },
    getProjectErasure: async (caller, request) => {
      const id = readPathId(request, 'erasure_id', 'erasure');
      const access = await authorizeProject(table, caller, readProjectId(request), 'tasks.read');
      return { body: await getErasureReceipt(table, access.project.id, id) };
    },
    getProjectCallRecording: async (caller, request) => {
      const callId = readPathId(request, 'call_id', 'call');
      const access = await authorizeProject(table, caller, readProjectId(request), 'tasks.read');
      return { headers: { Location: await viewRecording(services, access, callId) }, body: null };
    },
  };
}
