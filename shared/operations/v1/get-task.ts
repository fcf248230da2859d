import { TaskResource } from '#shared/tasks/task-resource.ts';
import { task } from '../examples.ts';
import type { Operation } from '../operation.ts';
import { flag, lacksScope } from '../parameters.ts';

export const getTask = {
  method: 'GET',
  path: '/v1/task/{task_id}',
  authentication: 'api-key',
  summary: 'Get a task with its newest call, or with all calls and transcripts.',
  tag: 'Tasks',
  scope: 'tasks:read',
  description:
    'A task is PENDING, IN_PROGRESS, then COMPLETED, FAILED or CANCELLED; a call is IN_PROGRESS, then ' +
    'SUCCESS, VOICEMAIL, NO_ANSWER, BUSY, FAILED or CANCELLED. More than 50 calls come in pages; follow ' +
    'the `Link` header.',
  query: [
    flag('include_transcript', 'Include the transcript of each call.'),
    flag('include_all_calls', 'All calls, newest first, instead of the newest one only.'),
    flag('include_result', 'The structured result, and when the next call is due and what it waits for.'),
    {
      name: 'cursor',
      description: 'Start of the page of calls, from the `Link` header of the previous page.',
      schema: { type: 'string' },
    },
  ],
  success: {
    status: 200,
    description: 'The task.',
    schema: TaskResource,
    headers: ['Link'],
    example: task,
    links: {
      getPatient: {
        operationId: 'getPatient',
        parameters: { patient_id: '$response.body#/patient_id' },
      },
      getCallRecording: {
        operationId: 'getCallRecording',
        parameters: { call_id: '$response.body#/calls/0/id' },
      },
    },
  },
  errors: {
    400: [
      'Invalid task ID format',
      'include_transcript must be true or false',
      'cursor does not belong to this task',
    ],
    403: [lacksScope('tasks:read')],
    404: ['Task not found'],
  },
} as const satisfies Operation;
