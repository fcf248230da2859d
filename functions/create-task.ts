import { taskCreated } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { Created } from '#shared/domain/created.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readNewTask } from '#shared/http/task-requests.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { createTask as operation } from '#shared/operations/v1/create-task.ts';
import { openTable } from '#shared/table/client.ts';
import { getProject } from '#shared/table/project.ts';
import { checkSandboxPhone } from '#shared/tasks/check-sandbox-phone.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { enqueueDial, openFailFastCallQueue } from '#shared/tasks/enqueue-dial.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint, type Caller } from '#shared/triggers/http.ts';
import { manifest } from './manifests/create-task.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const access = clientAccess(table);
const hasSandboxPhone = env.SANDBOX_CARRIER_BASE_URL !== '';
const queue = openFailFastCallQueue(env.CALL_QUEUE_URL);

export const handler = apiEndpoint(operation, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: readNewTask,
  perform: idempotent({ table, body: Created }, async (caller: Caller, newTask: NewTask, remember) => {
    const { projectId } = caller;
    // Where both carriers are, no project needs to be read.
    const project = hasSandboxPhone ? null : await getProject(table, projectId);
    if (project !== null) checkSandboxPhone(project, hasSandboxPhone);
    const task = await createTask(table, {
      projectId,
      newTask,
      alongside: (made) => [...remember({ id: made.id }), access.changed(caller, taskCreated(made))],
    });
    await enqueueDial(queue, task);
    return { id: task.id };
  }),
});
