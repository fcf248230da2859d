import { tasksSeen } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readTaskListRequest } from '#shared/http/task-requests.ts';
import { listTasksLinked } from '#shared/http/v1-lists.ts';
import { listTasks as operation } from '#shared/operations/v1/list-tasks.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/list-tasks.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const access = clientAccess(table);
const addresses = clientAddresses(env.PUBLIC_BASE_URL);

export const handler = apiEndpoint(operation, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: readTaskListRequest,
  perform: async (caller, request) => {
    const page = await listTasksLinked({ table, addresses }, caller.projectId, request);
    await access.seen(caller, tasksSeen(caller.projectId, page.body.tasks));
    return page;
  },
});
