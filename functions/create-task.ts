import { Created } from '#shared/domain/created.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readNewTask } from '#shared/http/task-requests.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { openTable } from '#shared/table/client.ts';
import { announceTask, openAnnouncementQueue } from '#shared/tasks/announce-task.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const queue = openAnnouncementQueue(environment('CALL_QUEUE_URL'));

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, environment('PROJECT_REQUESTS_PER_SECOND')),
  parse: readNewTask,
  perform: idempotent({ table, status: 201, body: Created }, async ({ projectId }, newTask, remember) => {
    const task = await createTask(table, { projectId, newTask, alongside: ({ id }) => remember({ id }) });
    await announceTask(queue, task);
    return { id: task.id };
  }),
  response: Created,
});
