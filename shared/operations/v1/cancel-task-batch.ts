import { TaskBatchResource } from '#shared/tasks/batch/batch-resource.ts';
import { taskBatch } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { keyError, lacksScope } from '../parameters.ts';

export const cancelTaskBatch = {
  method: 'POST',
  path: '/v1/task/batch/{batch_id}/cancel',
  authentication: 'api-key',
  summary: 'Cancel all unfinished tasks of a batch and create no more of them.',
  tag: 'Tasks',
  scope: 'tasks:write',
  description:
    'Takes about a minute: CANCELLING, then CANCELLED. Ends calls in progress. Leaves tasks alone that ' +
    'earlier requests created (REPLAYED). Repeating it returns the same.',
  idempotent: true,
  success: {
    status: 200,
    description: 'The batch, with its cancellation in progress.',
    schema: TaskBatchResource,
    example: { ...taskBatch, status: 'CANCELLING' },
  },
  errors: {
    400: ['Invalid batch ID format', keyError],
    403: [lacksScope('tasks:write')],
    404: ['Batch not found'],
  },
} as const satisfies Operation;
