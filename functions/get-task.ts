import { taskSeen } from '#shared/audit/actions.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { nextPageLink, readTaskRequest } from '#shared/http/task-requests.ts';
import { getTask as operation } from '#shared/operations/v1/get-task.ts';
import { getTask } from '#shared/tasks/get-task.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/get-task.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);
const addresses = clientAddresses(env.PUBLIC_BASE_URL);

export const handler = apiEndpoint(operation, {
  ...admission,
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
