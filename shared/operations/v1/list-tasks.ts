import { TaskStatus } from '#shared/domain/task.ts';
import { requestedTaskTypes } from '#shared/domain/task-type.ts';
import { TaskList } from '#shared/tasks/list-tasks.ts';
import { listedTask } from '../examples.ts';
import type { Operation } from '../operation.ts';
import {
  byMetadata,
  cursorError,
  filterParameters,
  lacksScope,
  limitError,
  pageParameters,
} from '../parameters.ts';

export const listTasks = {
  method: 'GET',
  path: '/v1/task',
  authentication: 'api-key',
  summary: 'List the tasks of the project, newest first.',
  tag: 'Tasks',
  scope: 'tasks:read',
  description:
    'The list is eventually consistent. Follow `next_cursor`, or the `Link` header, until it is null. ' +
    `${byMetadata}`,
  query: [
    {
      name: 'status',
      description: 'Tasks of this status only.',
      schema: { type: 'string', enum: TaskStatus.options },
    },
    {
      name: 'task_type',
      description: 'Tasks of this type only; `INSURANCE_REIMBURSEMENT` is an alias of `REIMBURSEMENT`.',
      schema: { type: 'string', enum: requestedTaskTypes },
    },
    {
      name: 'patient_id',
      description: 'Tasks of this patient only.',
      schema: { type: 'string', format: 'uuid' },
    },
    ...filterParameters,
    {
      name: 'needs_review',
      description: 'Tasks with an answer that needs review (`true`) or without one (`false`).',
      schema: { type: 'boolean' },
    },
    ...pageParameters,
  ],
  success: {
    status: 200,
    description: 'A page of tasks.',
    schema: TaskList,
    headers: ['Link'],
    example: { tasks: [listedTask], next_cursor: null },
  },
  errors: {
    400: [
      `status must be one of ${TaskStatus.options.join(', ')}`,
      `task_type must be one of ${requestedTaskTypes.join(', ')}`,
      'Invalid patient ID format',
      limitError,
      cursorError,
    ],
    403: [lacksScope('tasks:read')],
  },
} as const satisfies Operation;
