import { clientAddresses } from '#shared/http/addresses.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { nextPageLink, readTaskRequest } from '#shared/http/task-requests.ts';
import { openTable } from '#shared/table/client.ts';
import { getTask } from '#shared/tasks/get-task.ts';
import { TaskResource } from '#shared/tasks/task-resource.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const addresses = clientAddresses(environment('PUBLIC_BASE_URL'));

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, environment('PROJECT_REQUESTS_PER_SECOND')),
  parse: readTaskRequest,
  perform: async ({ projectId }, request) => {
    const { resource, next } = await getTask({ table, addresses }, projectId, request);
    return {
      status: 200,
      headers: next === null ? {} : { Link: nextPageLink(addresses, request, next) },
      body: resource,
    };
  },
  response: TaskResource,
});
