import { Created } from '#shared/domain/created.ts';
import { TaskForecast } from '#shared/tasks/dry-run/task-forecast.ts';
import { ids, newTasks, taskForecast } from '../examples.ts';
import { AnyNewTask } from '../new-task-variants.ts';
import type { Operation } from '../operation.ts';
import {
  bodyErrors,
  keyError,
  lacksScope,
  noSandboxPhone,
  otherProjectsKey,
  taskParameter,
} from '../parameters.ts';

export const createTask = {
  method: 'POST',
  path: '/v1/task',
  authentication: 'api-key',
  summary: 'Create a task for a patient, which the voice agent carries out by phone.',
  tag: 'Tasks',
  scope: 'tasks:write',
  description:
    'Emergency numbers are refused. A sandbox project accepts all others, unless its setting ' +
    '`allowed_countries` names countries. A live project accepts valid numbers of its countries, and no ' +
    'premium-rate, satellite, personal, shared-cost or international ones. With `?dry_run=true` it creates ' +
    'nothing and returns 200 with a `TaskForecast` of what would happen, or the error that would result.',
  idempotent: true,
  body: { schema: AnyNewTask, examples: newTasks },
  success: {
    status: 201,
    description: 'The task is accepted; the number is called within its calling hours.',
    schema: Created,
    example: { id: ids.task },
    links: {
      getTask: {
        operationId: 'getTask',
        parameters: { task_id: '$response.body#/id' },
      },
      cancelTask: {
        operationId: 'cancelTask',
        parameters: { task_id: '$response.body#/id' },
      },
    },
  },
  dryRun: {
    description: 'To `dry_run=true`: what would happen (200).',
    schema: TaskForecast,
    example: taskForecast,
  },
  errors: {
    400: [
      ...bodyErrors,
      'phone_number must match ^\\+[1-9]\\d{1,14}$',
      'phone_number must be a number of a country that the project may call (US, CA)',
      keyError,
    ],
    403: [
      lacksScope('tasks:write'),
      otherProjectsKey,
      'Task type VERIFY_INSURANCE is not enabled for this project',
      'The project may not make real calls until an operator of this service grants them',
      noSandboxPhone,
    ],
    404: ['Patient not found'],
    409: [taskParameter],
    413: ['task_data is too large to be stored'],
  },
} as const satisfies Operation;
