import * as z from 'zod/mini';
import { enterProject } from '#shared/admin/enter-project.ts';
import { orderTask, type ProjectTaskBody, viewRecording, withdrawTask } from '#shared/admin/tasks.ts';
import { Created } from '#shared/domain/created.ts';
import { managementAddresses } from '#shared/http/addresses.ts';
import { getTaskViewed, listTasksViewed } from '#shared/http/admin-lists.ts';
import { readProjectId, readProjectTask } from '#shared/http/admin-requests.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { readTaskListRequest, readTaskRequest } from '#shared/http/task-requests.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { signedInPerson } from '#shared/identity/signed-in-person.ts';
import { openTable } from '#shared/table/client.ts';
import { announceEnd, announceTask, openAnnouncementQueue } from '#shared/tasks/announce-task.ts';
import { TaskList } from '#shared/tasks/list-tasks.ts';
import { TaskResource, toTaskResource } from '#shared/tasks/task-resource.ts';
import { adminEndpoint, adminFunction } from '#shared/triggers/admin.ts';
import { environment } from '#shared/triggers/environment.ts';

const table = openTable(environment('TABLE_NAME'));
const queue = openAnnouncementQueue(environment('CALL_QUEUE_URL'));
const publicBaseUrl = environment('PUBLIC_BASE_URL');
const bucket = environment('RECORDINGS_BUCKET');

export const handler = adminFunction({
  authenticate: signedInPerson(),
  operations: {
    'GET /admin/projects/{project_id}/tasks': adminEndpoint({
      parse: (request) => ({ projectId: readProjectId(request), list: readTaskListRequest(request) }),
      perform: async (caller, { projectId, list }) => {
        const access = await enterProject(table, caller, projectId, 'viewer');
        return { status: 200, ...(await listTasksViewed({ table, publicBaseUrl }, access, list)) };
      },
      response: TaskList,
    }),
    'POST /admin/projects/{project_id}/tasks': adminEndpoint({
      parse: async (request) => ({
        projectId: readProjectId(request),
        newTask: await readProjectTask(request),
      }),
      perform: async (caller, { projectId, newTask }, request) => {
        // Before any answer is looked up by the key: what a project was answered is nobody else's.
        const access = await enterProject(table, caller, projectId, 'owner');
        const order = idempotent(
          { table, status: 201, body: Created },
          async (_, body: ProjectTaskBody, remember) => {
            const task = await orderTask(table, access, body, ({ id }) => remember({ id }));
            await announceTask(queue, task);
            return { id: task.id };
          },
        );
        return order({ projectId: access.project.id }, newTask, request);
      },
      response: Created,
    }),
    'GET /admin/projects/{project_id}/tasks/{task_id}': adminEndpoint({
      parse: (request) => ({ projectId: readProjectId(request), task: readTaskRequest(request) }),
      perform: async (caller, { projectId, task }) => {
        const access = await enterProject(table, caller, projectId, 'viewer');
        return { status: 200, ...(await getTaskViewed({ table, publicBaseUrl }, access, task)) };
      },
      response: TaskResource,
    }),
    'POST /admin/projects/{project_id}/tasks/{task_id}/cancel': adminEndpoint({
      parse: (request) => ({
        projectId: readProjectId(request),
        taskId: readPathId(request, 'task_id', 'task'),
      }),
      perform: async (caller, { projectId, taskId }, request) => {
        const access = await enterProject(table, caller, projectId, 'owner');
        const addresses = managementAddresses(publicBaseUrl, access.project.id);
        const withdraw = idempotent(
          { table, status: 200, body: TaskResource },
          async (_, id: string, remember) => {
            const cancelled = await withdrawTask(table, access, id, (made) =>
              remember(toTaskResource(made, addresses)),
            );
            if (cancelled.callToEnd !== null) await announceEnd(queue, cancelled.callToEnd);
            return toTaskResource(cancelled, addresses);
          },
        );
        return withdraw({ projectId: access.project.id }, taskId, request);
      },
      response: TaskResource,
    }),
    'GET /admin/projects/{project_id}/calls/{call_id}/recording': adminEndpoint({
      parse: (request) => ({
        projectId: readProjectId(request),
        callId: readPathId(request, 'call_id', 'call'),
      }),
      perform: async (caller, { projectId, callId }) => {
        const access = await enterProject(table, caller, projectId, 'viewer');
        const location = await viewRecording({ table, bucket }, access, callId);
        return { status: 302, headers: { Location: location }, body: null };
      },
      response: z.null(),
    }),
  },
});
