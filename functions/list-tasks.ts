import { apiKeyAuthentication } from '#shared/api-keys/authenticate.ts';
import { openTable } from '#shared/table/client.ts';
import { listTasks, readTaskListRequest, TaskList } from '#shared/tasks/list-tasks.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const publicBaseUrl = environment('PUBLIC_BASE_URL');

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  parse: readTaskListRequest,
  perform: async ({ projectId }, request) => ({
    status: 200,
    ...(await listTasks({ table, publicBaseUrl }, projectId, request)),
  }),
  response: TaskList,
});
