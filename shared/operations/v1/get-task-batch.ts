import { TaskBatchProgress } from '#shared/http/batch-responses.ts';
import { taskBatchProgress } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { cursorError, lacksScope, limitError, pageParameters } from '../parameters.ts';

export const getTaskBatch = {
  method: 'GET',
  path: '/v1/task/batch/{batch_id}',
  authentication: 'api-key',
  summary: 'Get the progress of a batch and the result of each task, in the order of the request.',
  tag: 'Tasks',
  scope: 'tasks:read',
  description:
    'A batch is kept for 30 days. `status` is PENDING until every task is created or refused, then DONE. ' +
    '`task_counts` lag by a moment.',
  query: pageParameters,
  success: {
    status: 200,
    description: 'The batch and a page of its items.',
    schema: TaskBatchProgress,
    headers: ['Link'],
    example: taskBatchProgress,
  },
  errors: {
    400: ['Invalid batch ID format', limitError, cursorError],
    403: [lacksScope('tasks:read')],
    404: ['Batch not found'],
  },
} as const satisfies Operation;
