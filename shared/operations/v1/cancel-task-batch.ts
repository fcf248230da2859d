import { TaskBatchResource } from '#shared/tasks/batch/batch-resource.ts';
import { taskBatch } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { keyError, lacksScope } from '../parameters.ts';

export const cancelTaskBatch = {
  method: 'POST',
  path: '/v1/task/batch/{batch_id}/cancel',
  authentication: 'api-key',
  summary: 'Cancel every task of a batch that is not over; what is not created yet never will be.',
  tag: 'Tasks',
  scope: 'tasks:write',
  description:
    'It takes a minute or so: CANCELLING, then CANCELLED. Calls that are under way are ended. Tasks that earlier requests have created (REPLAYED) stay as they are. Cancelled again, it answers the same.',
  idempotent: true,
  success: {
    status: 200,
    description: 'The batch, being cancelled.',
    schema: TaskBatchResource,
    example: { ...taskBatch, status: 'CANCELLING' },
  },
  errors: {
    400: ['Invalid batch ID format', keyError],
    403: [lacksScope('tasks:write')],
    404: ['Batch not found'],
  },
} as const satisfies Operation;
