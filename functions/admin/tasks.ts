import { enterProject } from '#shared/admin/enter-project.ts';
import { readProjectId } from '#shared/admin/named-project.ts';
import {
  orderTask,
  type ProjectTaskBody,
  readProjectTask,
  viewRecording,
  viewTask,
  viewTasks,
  withdrawTask,
} from '#shared/admin/tasks.ts';
import { managementAddresses } from '#shared/http/addresses.ts';
import { Created } from '#shared/http/created.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import type { taskOperations } from '#shared/operations/admin/tasks.ts';
import { announceEnd, announceTask } from '#shared/tasks/announce-task.ts';
import { readTaskListRequest } from '#shared/tasks/list-tasks.ts';
import { readTaskRequest } from '#shared/tasks/task-request.ts';
import { TaskResource, toTaskResource } from '#shared/tasks/task-resource.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';
import type { AdminServices } from './admin-services.ts';

export function taskHandlers(services: AdminServices): AdminHandlers<typeof taskOperations> {
  const { table, callQueue, publicBaseUrl } = services;
  return {
    listProjectTasks: async (caller, request) => {
      const list = readTaskListRequest(request);
      const access = await enterProject(table, caller, readProjectId(request), 'tasks.read');
      return viewTasks(services, access, list);
    },
    createProjectTask: async (caller, request) => {
      const newTask = await readProjectTask(request);
      // Before any answer is looked up by the key: what a project was answered is nobody else's.
      const access = await enterProject(table, caller, readProjectId(request), 'tasks.write');
      const order = idempotent({ table, body: Created }, async (_, body: ProjectTaskBody, remember) => {
        const task = await orderTask(table, access, body, ({ id }) => remember({ id }));
        await announceTask(callQueue, task);
        return { id: task.id };
      });
      return order({ projectId: access.project.id }, newTask, request);
    },
    getProjectTask: async (caller, request) => {
      const task = readTaskRequest(request);
      const access = await enterProject(table, caller, readProjectId(request), 'tasks.read');
      return viewTask(services, access, task);
    },
    cancelProjectTask: async (caller, request) => {
      const taskId = readPathId(request, 'task_id', 'task');
      const access = await enterProject(table, caller, readProjectId(request), 'tasks.write');
      const addresses = managementAddresses(publicBaseUrl, access.project.id);
      const withdraw = idempotent({ table, body: TaskResource }, async (_, id: string, remember) => {
        const cancelled = await withdrawTask(table, access, id, (made) =>
          remember(toTaskResource(made, addresses)),
        );
        if (cancelled.callToEnd !== null) await announceEnd(callQueue, cancelled.callToEnd);
        return toTaskResource(cancelled, addresses);
      });
      return withdraw({ projectId: access.project.id }, taskId, request);
    },
    getProjectCallRecording: async (caller, request) => {
      const callId = readPathId(request, 'call_id', 'call');
      const access = await enterProject(table, caller, readProjectId(request), 'tasks.read');
      return { headers: { Location: await viewRecording(services, access, callId) }, body: null };
    },
  };
}
