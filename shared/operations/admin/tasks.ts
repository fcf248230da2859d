import { TaskList } from '#shared/tasks/list-tasks.ts';
import { TaskResource } from '#shared/tasks/task-resource.ts';
import { newTasks } from '../examples.ts';
import { AnyNewTask } from '../new-task-variants.ts';
import { cancelTask } from '../v1/cancel-task.ts';
import { createTask } from '../v1/create-task.ts';
import { deleteTask } from '../v1/delete-task.ts';
import { getCallRecording } from '../v1/get-call-recording.ts';
import { getErasure } from '../v1/get-erasure.ts';
import { getTask } from '../v1/get-task.ts';
import { listTasks } from '../v1/list-tasks.ts';
import { noProject, onlyFor, otherProject } from './errors.ts';
import { forPeople } from './for-people.ts';

/** The tasks and recordings of a project. */
export const taskOperations = forPeople('Tasks', {
  listProjectTasks: {
    method: 'GET',
    path: '/admin/projects/{project_id}/tasks',
    summary: 'List the tasks of a project, newest first.',
    query: listTasks.query,
    success: {
      status: 200,
      description: 'A page of tasks; the access is recorded.',
      schema: TaskList,
      headers: ['Link'],
    },
    errors: { 400: listTasks.errors[400], 403: [onlyFor('tasks.read')], 404: [noProject] },
  },
  createProjectTask: {
    method: 'POST',
    path: '/admin/projects/{project_id}/tasks',
    summary: 'Create a task for a patient, which the voice agent carries out by phone.',
    description: 'Like `createTask` of the client API; `project_id` is optional, since the path names it.',
    idempotent: true,
    body: {
      schema: AnyNewTask,
      examples: { 'Schedule an appointment': newTasks['Schedule an appointment'] },
    },
    success: createTask.success,
    errors: {
      ...createTask.errors,
      400: [...createTask.errors[400], otherProject],
      403: [onlyFor('tasks.write'), ...createTask.errors[403].slice(2)],
      404: [noProject, 'Patient not found'],
    },
  },
  getProjectTask: {
    method: 'GET',
    path: '/admin/projects/{project_id}/tasks/{task_id}',
    summary: 'Get a task with its newest call, or with all calls and transcripts.',
    description: 'Like `getTask` of the client API.',
    query: getTask.query,
    success: {
      status: 200,
      description: 'The task; the access is recorded.',
      schema: TaskResource,
      headers: ['Link'],
    },
    errors: {
      400: getTask.errors[400],
      403: [onlyFor('tasks.read')],
      404: [noProject, 'Task not found'],
    },
  },
  cancelProjectTask: {
    method: 'POST',
    path: '/admin/projects/{project_id}/tasks/{task_id}/cancel',
    summary: 'Cancel an unfinished task and end its call.',
    description: cancelTask.description,
    idempotent: true,
    success: cancelTask.success,
    errors: {
      ...cancelTask.errors,
      403: [onlyFor('tasks.write')],
      404: [noProject, 'Task not found'],
    },
  },
  deleteProjectTask: {
    method: 'DELETE',
    path: '/admin/projects/{project_id}/tasks/{task_id}',
    summary: deleteTask.summary,
    description: 'Like `deleteTask` of the client API.',
    success: deleteTask.success,
    errors: {
      ...deleteTask.errors,
      403: [onlyFor('records.erase')],
      404: [noProject, 'Task not found'],
    },
  },
  getProjectErasure: {
    method: 'GET',
    path: '/admin/projects/{project_id}/erasures/{erasure_id}',
    summary: getErasure.summary,
    tag: 'Erasures',
    description: 'Like `getErasure` of the client API.',
    success: getErasure.success,
    errors: {
      ...getErasure.errors,
      403: [onlyFor('tasks.read')],
      404: [noProject, 'Erasure not found'],
    },
  },
  getProjectCallRecording: {
    method: 'GET',
    path: '/admin/projects/{project_id}/calls/{call_id}/recording',
    summary: 'Redirect to a short-lived link to the recording of a call.',
    tag: 'Recordings',
    description: 'Like `getCallRecording` of the client API; the access is recorded.',
    success: getCallRecording.success,
    errors: {
      400: ['Invalid call ID format'],
      403: [onlyFor('tasks.read')],
      404: [noProject, 'Call not found', 'Recording not found'],
    },
  },
});
