import { ErasureReceipt } from '#shared/erasure/order-erasure.ts';
import { taskErasure } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { lacksScope, onLegalHold } from '../parameters.ts';

export const deleteTask = {
  method: 'DELETE',
  path: '/v1/task/{task_id}',
  authentication: 'api-key',
  summary: 'Erase a task, with its calls, transcripts, results and recordings.',
  tag: 'Tasks',
  scope: 'erasures:write',
  description:
    'An unfinished task is canceled first and its call ended. The task is then erased within minutes, here ' +
    "and at the telephone carrier. The receipt's progress is at `GET /v1/erasure/{erasure_id}`; repeating " +
    'the request returns the same receipt.',
  success: {
    status: 202,
    description: 'The receipt of the erasure.',
    schema: ErasureReceipt,
    example: taskErasure,
  },
  errors: {
    400: ['Invalid task ID format'],
    403: [lacksScope('erasures:write')],
    404: ['Task not found'],
    409: [onLegalHold],
  },
} as const satisfies Operation;
