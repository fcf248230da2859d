import { apiKeyAuthentication } from '#shared/api-keys/authenticate.ts';
import { Created } from '#shared/http/created.ts';
import { openTable } from '#shared/table/client.ts';
import { announceTask, openAnnouncementQueue } from '#shared/tasks/announce-task.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { readNewTask } from '#shared/tasks/read-new-task.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const queue = openAnnouncementQueue(environment('CALL_QUEUE_URL'));

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  parse: readNewTask,
  perform: async ({ projectId }, newTask) => {
    const task = await createTask(table, projectId, newTask);
    await announceTask(queue, task);
    return { status: 201, body: { id: task.id } };
  },
  response: Created,
});
