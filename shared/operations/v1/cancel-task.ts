import { TaskResource } from '#shared/tasks/task-resource.ts';
import { task } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { keyError, lacksScope } from '../parameters.ts';

export const cancelTask = {
  method: 'POST',
  path: '/v1/task/{task_id}/cancel',
  authentication: 'api-key',
  summary: 'Cancel an unfinished task and end its call.',
  tag: 'Tasks',
  scope: 'tasks:write',
  description: 'A call in progress is ended and becomes CANCELLED, unless it has already decided the task.',
  idempotent: true,
  success: {
    status: 200,
    description: 'The canceled task.',
    schema: TaskResource,
    example: { ...task, status: 'CANCELLED', task_outcome: null, calls: [] },
  },
  errors: {
    400: ['Invalid task ID format', keyError],
    403: [lacksScope('tasks:write')],
    404: ['Task not found'],
    409: ['Task is already COMPLETED and cannot be cancelled'],
  },
} as const satisfies Operation;
