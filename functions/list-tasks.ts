import { apiKeyAuthentication } from '#shared/api-keys/authenticate.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { openTable } from '#shared/table/client.ts';
import { listTasks, readTaskListRequest, TaskList } from '#shared/tasks/list-tasks.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const addresses = clientAddresses(environment('PUBLIC_BASE_URL'));

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, environment('PROJECT_REQUESTS_PER_SECOND')),
  parse: readTaskListRequest,
  perform: async ({ projectId }, request) => ({
    status: 200,
    ...(await listTasks({ table, addresses }, projectId, request)),
  }),
  response: TaskList,
});
