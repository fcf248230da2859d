import { taskCancelled } from '#shared/audit/actions.ts';
import { openFailFastQueue } from '#shared/aws/message-queue.ts';
import { Created } from '#shared/domain/created.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { cancelTask as operation } from '#shared/operations/v1/cancel-task.ts';
import { cancelTask } from '#shared/tasks/cancel-task.ts';
import { enqueueEnd } from '#shared/tasks/enqueue-dial.ts';
import { getOwnTask } from '#shared/tasks/get-task.ts';
import { toTaskResource } from '#shared/tasks/task-resource.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint, type Caller } from '#shared/triggers/http.ts';
import { manifest } from './manifests/cancel-task.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);
const queue = openFailFastQueue(env.CALL_QUEUE_URL);
const addresses = clientAddresses(env.PUBLIC_BASE_URL);

/** The record for repeated requests has only the task's ID: the task itself would outlive its erasure there. */
const cancel = idempotent({ table, body: Created }, async (caller: Caller, taskId: string, remember) => {
  const { task, callToEnd } = await cancelTask(table, {
    projectId: caller.projectId,
    taskId,
    alongside: (made) => [
      ...remember({ id: made.task.id }),
      access.changed(caller, taskCancelled(made.task)),
    ],
  });
  if (callToEnd !== null) await enqueueEnd(queue, callToEnd);
  return { id: task.id };
});

export const handler = apiEndpoint(operation, {
  ...admission,
  parse: (request) => readPathId(request, 'task_id', 'task'),
  perform: async (caller, taskId, request) => {
    const cancelled = await cancel(caller, taskId, request);
    const task = await getOwnTask(table, caller.projectId, cancelled.body.id);
    return { ...cancelled, body: toTaskResource(task, addresses) };
  },
});
