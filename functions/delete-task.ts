import { erasureOrdered } from '#shared/audit/actions.ts';
import { openFailFastQueue } from '#shared/aws/message-queue.ts';
import { tryToEnqueueErasure } from '#shared/erasure/erasure-queue.ts';
import { orderTaskErasure } from '#shared/erasure/order-erasure.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { deleteTask } from '#shared/operations/v1/delete-task.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/delete-task.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);
const queue = openFailFastQueue(env.ERASURE_QUEUE_URL);

export const handler = apiEndpoint(deleteTask, {
  ...admission,
  parse: (request) => readPathId(request, 'task_id', 'task'),
  perform: async (caller, id) => {
    const erasure = await orderTaskErasure(table, {
      projectId: caller.projectId,
      id,
      requestedBy: 'client',
      alongside: (thing) => [access.changed(caller, erasureOrdered(thing))],
    });
    await tryToEnqueueErasure(queue, erasure.id);
    return { body: erasure };
  },
});
