import { tasksSeen } from '#shared/audit/actions.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { readTaskBatchRequest } from '#shared/http/batch-requests.ts';
import { toTaskBatchProgress } from '#shared/http/batch-responses.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { withNextPage } from '#shared/http/list-page.ts';
import { getTaskBatch as operation } from '#shared/operations/v1/get-task-batch.ts';
import { getTaskBatchPage } from '#shared/tasks/batch/batch-resource.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/get-task-batch.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);
const addresses = clientAddresses(env.PUBLIC_BASE_URL);

export const handler = apiEndpoint(operation, {
  ...admission,
  parse: readTaskBatchRequest,
  perform: async (caller, request) => {
    const page = await getTaskBatchPage(table, caller.projectId, request);
    const seen = page.items.flatMap(({ task }) => task ?? []);
    if (seen.length > 0) await access.seen(caller, tasksSeen(caller.projectId, seen));
    return withNextPage(toTaskBatchProgress(page), addresses.taskBatch(request.batchId), request);
  },
});
