import { openFailFastQueue } from '#shared/aws/message-queue.ts';
import { batchMessage } from '#shared/calls/call-message.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { cancelTaskBatch as operation } from '#shared/operations/v1/cancel-task-batch.ts';
import { TaskBatchResource } from '#shared/tasks/batch/batch-resource.ts';
import { cancelBatch } from '#shared/tasks/batch/cancel-batch.ts';
import { enqueueWork } from '#shared/tasks/enqueue-dial.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint, type Caller } from '#shared/triggers/http.ts';
import { manifest } from './manifests/cancel-task-batch.ts';

const env = readEnvironment(manifest.environment);
const { table, admission } = openClientApi(env);
const queue = openFailFastQueue(env.CALL_QUEUE_URL);

export const handler = apiEndpoint(operation, {
  ...admission,
  parse: (request) => readPathId(request, 'batch_id', 'batch'),
  perform: idempotent(
    { table, body: TaskBatchResource },
    async (asker: Caller, batchId: string, remember) => {
      const cancelled = await cancelBatch(table, { asker, batchId, alongside: remember });
      await enqueueWork(queue, batchMessage(cancelled));
      return cancelled;
    },
  ),
});
