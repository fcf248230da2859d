import { tasksSeen } from '#shared/audit/actions.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readTaskListRequest } from '#shared/http/task-requests.ts';
import { listTasksLinked } from '#shared/http/v1-lists.ts';
import { listTasks as operation } from '#shared/operations/v1/list-tasks.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/list-tasks.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);
const addresses = clientAddresses(env.PUBLIC_BASE_URL);

export const handler = apiEndpoint(operation, {
  ...admission,
  parse: readTaskListRequest,
  perform: async (caller, request) => {
    const page = await listTasksLinked({ table, addresses }, caller.projectId, request);
    await access.seen(caller, tasksSeen(caller.projectId, page.body.tasks));
    return page;
  },
});
