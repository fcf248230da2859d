import { taskCancelled } from '#shared/audit/actions.ts';
import { openFailFastQueue } from '#shared/aws/message-queue.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { cancelTask as operation } from '#shared/operations/v1/cancel-task.ts';
import { type CancelledTask, cancelTask } from '#shared/tasks/cancel-task.ts';
import { enqueueEnd } from '#shared/tasks/enqueue-dial.ts';
import { TaskResource, toTaskResource } from '#shared/tasks/task-resource.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint, type Caller } from '#shared/triggers/http.ts';
import { manifest } from './manifests/cancel-task.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);
const queue = openFailFastQueue(env.CALL_QUEUE_URL);
const addresses = clientAddresses(env.PUBLIC_BASE_URL);

const toResource = (cancelled: CancelledTask): TaskResource => toTaskResource(cancelled, addresses);

export const handler = apiEndpoint(operation, {
  ...admission,
  parse: (request) => readPathId(request, 'task_id', 'task'),
  perform: idempotent({ table, body: TaskResource }, async (caller: Caller, taskId: string, remember) => {
    const cancelled = await cancelTask(table, {
      projectId: caller.projectId,
      taskId,
      alongside: (made) => [...remember(toResource(made)), access.changed(caller, taskCancelled(made.task))],
    });
    if (cancelled.callToEnd !== null) await enqueueEnd(queue, cancelled.callToEnd);
    return toResource(cancelled);
  }),
});
