import { apiKeyAuthentication } from '#shared/api-keys/authenticate.ts';
import { openTable } from '#shared/table/client.ts';
import { getTask } from '#shared/tasks/get-task.ts';
import { nextPageLink, readTaskRequest } from '#shared/tasks/task-request.ts';
import { TaskResource } from '#shared/tasks/task-resource.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const publicBaseUrl = environment('PUBLIC_BASE_URL');

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  parse: readTaskRequest,
  perform: async ({ projectId }, request) => {
    const { resource, next } = await getTask({ table, publicBaseUrl }, projectId, request);
    return {
      status: 200,
      headers: next === null ? {} : { Link: nextPageLink(publicBaseUrl, request, next) },
      body: resource,
    };
  },
  response: TaskResource,
});
