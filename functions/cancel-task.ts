import { taskCancelled } from '#shared/audit/actions.ts';
import { openFailFastQueue } from '#shared/aws/message-queue.ts';
import { Created } from '#shared/domain/created.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { cancelTask as operation } from '#shared/operations/v1/cancel-task.ts';
import { type CancelledTask, cancelTask } from '#shared/tasks/cancel-task.ts';
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

export const handler = apiEndpoint(operation, {
  ...admission,
  parse: (request) => readPathId(request, 'task_id', 'task'),
  perform: async (caller, taskId, request) => {
    const done: CancelledTask[] = [];
    const cancel = idempotent({ table, body: Created }, async (_: Caller, id: string, remember) => {
      const cancelled = await cancelTask(table, {
        projectId: caller.projectId,
        taskId: id,
        alongside: ({ task }) => [...remember({ id: task.id }), access.changed(caller, taskCancelled(task))],
      });
      if (cancelled.callToEnd !== null) await enqueueEnd(queue, cancelled.callToEnd);
      done.push(cancelled);
      return { id: cancelled.task.id };
    });
    const { body, ...answer } = await cancel(caller, taskId, request);
    // A repetition is answered from the table: a remembered task would outlive its erasure.
    const [task = await getOwnTask(table, caller.projectId, body.id)] = done;
    return { ...answer, body: toTaskResource(task, addresses) };
  },
});
