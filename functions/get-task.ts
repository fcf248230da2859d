import { taskSeen } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { nextPageLink, readTaskRequest } from '#shared/http/task-requests.ts';
import { getTask as operation } from '#shared/operations/v1/get-task.ts';
import { openTable } from '#shared/table/client.ts';
import { getTask } from '#shared/tasks/get-task.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/get-task.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const access = clientAccess(table);
const addresses = clientAddresses(env.PUBLIC_BASE_URL);

export const handler = apiEndpoint(operation, {
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
  parse: readTaskRequest,
  perform: async (caller, request) => {
    const { resource, next } = await getTask({ table, addresses }, caller.projectId, request);
    await access.seen(caller, taskSeen(resource, request));
    return {
      headers: next === null ? {} : { Link: nextPageLink(addresses, request, next) },
      body: resource,
    };
  },
});
