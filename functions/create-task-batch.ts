import { openFailFastQueue } from '#shared/aws/message-queue.ts';
import { batchMessage } from '#shared/calls/call-message.ts';
import { Created } from '#shared/domain/created.ts';
import { readTaskBatch } from '#shared/http/batch-requests.ts';
import { toAcceptedBatch } from '#shared/http/batch-responses.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { createTaskBatch as operation } from '#shared/operations/v1/create-task-batch.ts';
import { listBatchOutcomes } from '#shared/table/task-batch.ts';
import { acceptBatch } from '#shared/tasks/batch/accept-batch.ts';
import type { AskedItem } from '#shared/tasks/batch/judge-items.ts';
import { enqueueWork } from '#shared/tasks/enqueue-dial.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint, type Caller } from '#shared/triggers/http.ts';
import { manifest } from './manifests/create-task-batch.ts';

const env = readEnvironment(manifest.environment);
const { table, admission } = openClientApi(env);
const hasSandboxPhone = env.SANDBOX_CARRIER_BASE_URL !== '';
const queue = openFailFastQueue(env.CALL_QUEUE_URL);

interface Order {
  readonly asked: readonly AskedItem[];
  readonly isRepeatable: boolean;
}

const accept = idempotent({ table, body: Created }, async (asker: Caller, order: Order, remember) => {
  const accepted = await acceptBatch(table, { asker, ...order, hasSandboxPhone, alongside: remember });
  await enqueueWork(queue, batchMessage({ project_id: asker.projectId, id: accepted.id }));
  return accepted;
});

export const handler = apiEndpoint(operation, {
  ...admission,
  parse: async (request): Promise<Order> => ({
    asked: await readTaskBatch(request),
    isRepeatable: request.headers['idempotency-key'] !== undefined,
  }),
  perform: async (caller, order, request) => {
    const { body, ...answer } = await accept(caller, order, request);
    return { ...answer, body: toAcceptedBatch(body.id, await listBatchOutcomes(table, body.id)) };
  },
});
