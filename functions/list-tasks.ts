import { clientAddresses } from '#shared/http/addresses.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readTaskListRequest } from '#shared/http/task-requests.ts';
import { listTasksLinked } from '#shared/http/v1-lists.ts';
import { openTable } from '#shared/table/client.ts';
import { TaskList } from '#shared/tasks/list-tasks.ts';
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
    ...(await listTasksLinked({ table, addresses }, projectId, request)),
  }),
  response: TaskList,
});
