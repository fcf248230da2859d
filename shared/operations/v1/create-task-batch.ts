import { maxBatchItems } from '#shared/domain/task-batch.ts';
import { AcceptedBatch } from '#shared/http/batch-responses.ts';
import { acceptedBatch, newTaskBatch } from '../examples.ts';
import { NewTaskBatch } from '../new-task-batch.ts';
import type { Operation } from '../operation.ts';
import { bodyErrors, keyError, lacksScope } from '../parameters.ts';

export const createTaskBatch = {
  method: 'POST',
  path: '/v1/task/batch',
  authentication: 'api-key',
  summary: `Create up to ${maxBatchItems} tasks; each gets its own result.`,
  tag: 'Tasks',
  scope: 'tasks:write',
  description:
    'Accepted tasks are created within about a minute, with the `id` in this response; `GET ' +
    '/v1/task/batch/{batch_id}` reports the progress. `error` is what `POST /v1/task` would have returned. ' +
    'The body may have 4 MB, each task 256 KB. A task’s `idempotency_key` works like the header of `POST ' +
    '/v1/task`.',
  idempotent: true,
  body: { schema: NewTaskBatch, examples: newTaskBatch },
  success: {
    status: 202,
    description: 'The accepted and the refused tasks, in the order of the request.',
    schema: AcceptedBatch,
    example: acceptedBatch,
    links: {
      getTaskBatch: { operationId: 'getTaskBatch', parameters: { batch_id: '$response.body#/id' } },
      cancelTaskBatch: { operationId: 'cancelTaskBatch', parameters: { batch_id: '$response.body#/id' } },
    },
  },
  errors: {
    400: [...bodyErrors, `tasks must have at most ${maxBatchItems} entries`, keyError],
    403: [lacksScope('tasks:write')],
    413: ['Request body must not be larger than 4 MB'],
  },
} as const satisfies Operation;
