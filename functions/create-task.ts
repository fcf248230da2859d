import { apiKeyAuthentication } from '#shared/api-keys/authenticate.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { taskCreated } from '#shared/audit/deeds.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { Created } from '#shared/http/created.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { createTask as operation } from '#shared/operations/v1/create-task.ts';
import { openTable } from '#shared/table/client.ts';
import { announceTask, openAnnouncementQueue } from '#shared/tasks/announce-task.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { readNewTask } from '#shared/tasks/read-new-task.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint, type Caller } from '#shared/triggers/http.ts';
import { manifest } from './manifests/create-task.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const access = clientAccess(table);
const queue = openAnnouncementQueue(env.CALL_QUEUE_URL);

export const handler = apiEndpoint(operation, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: readNewTask,
  perform: idempotent({ table, body: Created }, async (caller: Caller, newTask: NewTask, remember) => {
    const task = await createTask(
      table,
      caller.projectId,
      newTask,
      ({ id }) => remember({ id }),
      new Date(),
      (made) => [access.changed(caller, taskCreated(made))],
    );
    await announceTask(queue, task);
    return { id: task.id };
  }),
});
