import { maxBatchItems } from '#shared/domain/task-batch.ts';
import { AcceptedBatch } from '#shared/http/batch-answers.ts';
import { acceptedBatch, newTaskBatch } from '../examples.ts';
import { NewTaskBatch } from '../new-task-batch.ts';
import type { Operation } from '../operation.ts';
import { bodyErrors, keyError, lacksScope } from '../parameters.ts';

export const createTaskBatch = {
  method: 'POST',
  path: '/v1/task/batch',
  authentication: 'api-key',
  summary: `Create up to ${maxBatchItems} tasks, each of which is answered for itself.`,
  tag: 'Tasks',
  scope: 'tasks:write',
  description:
    'What is accepted is created within a minute or so, with the `id` that is answered here; `GET /v1/task/batch/{batch_id}` tells how far that has come. `error` is what `POST /v1/task` would have answered. The body may have 4 MB, each task 256 KB. `idempotency_key` of a task does what the header does for `POST /v1/task`.',
  idempotent: true,
  body: { schema: NewTaskBatch, examples: newTaskBatch },
  success: {
    status: 202,
    description: 'What was accepted, and what was not, in the order of the request.',
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
