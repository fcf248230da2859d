import { Created } from '#shared/domain/created.ts';
import { NewPatient } from '#shared/domain/patient.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import { PatientList } from '#shared/patients/list-patients.ts';
import { PatientResource } from '#shared/patients/patient-resource.ts';
import { TaskList } from '#shared/tasks/list-tasks.ts';
import { TaskResource } from '#shared/tasks/task-resource.ts';
import { ids, listedTask, newPatient, newTasks, patient, task } from './examples.ts';
import { AnyNewTask } from './new-task-variants.ts';
import type { Operation } from './operation.ts';
import { bodyErrors, cursorError, flag, keyError, limitError, pageParameters } from './parameters.ts';

const foreignProject = 'API key does not grant access to this project';

/** What clients do with an API key of their project, by method and path. */
export const v1Operations = {
  'POST /v1/patient': {
    operationId: 'createPatient',
    tag: 'Patients',
    idempotent: true,
    body: { schema: NewPatient, examples: newPatient },
    success: {
      status: 201,
      description: 'The patient is registered.',
      schema: Created,
      example: { id: ids.patient },
    },
    errors: {
      400: [...bodyErrors, 'phone_number must match ^\\+[1-9]\\d{1,14}$', keyError],
      403: [foreignProject],
    },
  },
  'GET /v1/patient': {
    operationId: 'listPatients',
    tag: 'Patients',
    description:
      'The list lags a moment behind. Go on with `next_cursor`, or the `Link` header, until it is null.',
    query: pageParameters,
    success: {
      status: 200,
      description: 'A page of patients.',
      schema: PatientList,
      headers: ['Link'],
      example: { patients: [patient], next_cursor: null },
    },
    errors: { 400: [limitError, cursorError] },
  },
  'GET /v1/patient/{patient_id}': {
    operationId: 'getPatient',
    tag: 'Patients',
    success: {
      status: 200,
      description: 'The patient; what was not given is null.',
      schema: PatientResource,
      example: patient,
    },
    errors: { 400: ['Invalid patient ID format'], 404: ['Patient not found'] },
  },
  'POST /v1/task': {
    operationId: 'createTask',
    tag: 'Tasks',
    description:
      'Emergency and other short numbers, premium-rate numbers and numbers that the numbering plan of their country does not allow are refused.',
    idempotent: true,
    body: { schema: AnyNewTask, examples: newTasks },
    success: {
      status: 201,
      description: 'The task is accepted; the number is called within its calling hours.',
      schema: Created,
      example: { id: ids.task },
    },
    errors: {
      400: [...bodyErrors, 'phone_number must match ^\\+[1-9]\\d{1,14}$', keyError],
      403: [foreignProject, 'Task type VERIFY_INSURANCE is not enabled for this project'],
      404: ['Patient not found'],
      413: ['task_data is too large to be stored'],
    },
  },
  'GET /v1/task': {
    operationId: 'listTasks',
    tag: 'Tasks',
    description:
      'The list lags a moment behind. Go on with `next_cursor`, or the `Link` header, until it is null.',
    query: [
      {
        name: 'status',
        description: 'Tasks of this status only.',
        schema: { type: 'string', enum: TaskStatus.options },
      },
      {
        name: 'patient_id',
        description: 'Tasks of this patient only.',
        schema: { type: 'string', format: 'uuid' },
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
        'Invalid patient ID format',
        limitError,
        cursorError,
      ],
    },
  },
  'GET /v1/task/{task_id}': {
    operationId: 'getTask',
    tag: 'Tasks',
    description:
      'Status: PENDING, IN_PROGRESS, then COMPLETED, FAILED or CANCELLED. Of a call: IN_PROGRESS, then SUCCESS, VOICEMAIL, NO_ANSWER, BUSY, FAILED or CANCELLED. More than 50 calls come in pages, led to by the `Link` header.',
    query: [
      flag('include_transcript', 'What was said, in each call.'),
      flag('include_all_calls', 'All calls, newest first, instead of the newest one only.'),
      flag('include_result', 'The structured result, and when the next call is due and what it waits for.'),
      {
        name: 'cursor',
        description: 'Where the page of calls begins; from the `Link` header of the page before.',
        schema: { type: 'string' },
      },
    ],
    success: {
      status: 200,
      description: 'The task.',
      schema: TaskResource,
      headers: ['Link'],
      example: task,
    },
    errors: {
      400: [
        'Invalid task ID format',
        'include_transcript must be true or false',
        'cursor is not one that this task was answered with',
      ],
      404: ['Task not found'],
    },
  },
  'POST /v1/task/{task_id}/cancel': {
    operationId: 'cancelTask',
    tag: 'Tasks',
    description: 'A call that is under way is ended; it becomes CANCELLED unless it had decided the task.',
    idempotent: true,
    success: {
      status: 200,
      description: 'The task, cancelled.',
      schema: TaskResource,
      example: { ...task, status: 'CANCELLED', task_outcome: null, calls: [] },
    },
    errors: {
      400: ['Invalid task ID format', keyError],
      404: ['Task not found'],
      409: ['Task is already COMPLETED and cannot be cancelled'],
    },
  },
  'GET /v1/call/{call_id}/recording': {
    operationId: 'getCallRecording',
    tag: 'Recordings',
    description:
      'The recording is a WAV file: the person called on the left channel, the agent on the right. The link lives 300 seconds and needs no API key.',
    success: {
      status: 302,
      description: 'Where the recording can be fetched.',
      schema: null,
      headers: ['Location'],
    },
    errors: { 400: ['Invalid call ID format'], 404: ['Call not found', 'Recording not found'] },
  },
} as const satisfies Record<`${string} /v1/${string}`, Operation>;
