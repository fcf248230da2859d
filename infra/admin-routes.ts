import type { Route } from './routes.ts';

const people = { authentication: 'oidc', tableAccess: 'write' } as const;
const projects = { ...people, function: 'admin-projects' } as const;
const patients = { ...people, function: 'admin-patients' } as const;
const apiKeys = { ...people, function: 'admin-api-keys' } as const;
const tasks = { ...people, function: 'admin-tasks' } as const;

const project = '/admin/projects/{project_id}';

/** The management API, for people who have signed in. Even what only reads writes: who looked at what. */
export const adminRoutes = [
  {
    ...projects,
    method: 'GET',
    path: '/admin/me',
    summary: 'Read who is signed in and which projects they may enter.',
  },
  {
    ...projects,
    method: 'GET',
    path: '/admin/projects',
    summary: 'List the projects that one may enter, newest first.',
  },
  {
    ...projects,
    method: 'POST',
    path: '/admin/projects',
    summary: 'Create a project and become its owner.',
  },
  { ...projects, method: 'GET', path: project, summary: 'Read a project with its settings.' },
  { ...projects, method: 'PATCH', path: project, summary: 'Change settings of a project.' },
  {
    ...patients,
    method: 'GET',
    path: `${project}/patients`,
    summary: 'List the patients of a project, newest first.',
  },
  {
    ...patients,
    method: 'POST',
    path: `${project}/patients`,
    summary: 'Register a patient.',
  },
  {
    ...patients,
    method: 'GET',
    path: `${project}/patients/{patient_id}`,
    summary: 'Read one patient.',
  },
  {
    ...tasks,
    method: 'GET',
    path: `${project}/tasks`,
    summary: 'List the tasks of a project, newest first; of one status, type or patient where asked for.',
  },
  {
    ...tasks,
    method: 'POST',
    path: `${project}/tasks`,
    summary: 'Create a task for a patient; it is carried out by telephone.',
  },
  {
    ...tasks,
    method: 'GET',
    path: `${project}/tasks/{task_id}`,
    summary: 'Read a task with its newest call, or with all of its calls and their transcripts.',
  },
  {
    ...tasks,
    method: 'POST',
    path: `${project}/tasks/{task_id}/cancel`,
    summary: 'Cancel a task that is not over; a call that is under way is ended.',
  },
  {
    ...tasks,
    method: 'GET',
    path: `${project}/calls/{call_id}/recording`,
    summary: 'Redirect to the recording of a call by a link that lives a few minutes.',
  },
  {
    ...apiKeys,
    method: 'GET',
    path: `${project}/api-keys`,
    summary: 'List the API keys of a project, newest first: what they are called and when they were used.',
  },
  {
    ...apiKeys,
    method: 'POST',
    path: `${project}/api-keys`,
    summary: 'Create an API key; only this answer holds it.',
  },
  {
    ...apiKeys,
    method: 'POST',
    path: `${project}/api-keys/{api_key_id}/revoke`,
    summary: 'Take an API key out of use; it works for at most ten seconds more.',
  },
  {
    ...apiKeys,
    method: 'POST',
    path: `${project}/api-keys/{api_key_id}/rotate`,
    summary: 'Create an API key in the place of another one, which works on for some hours.',
  },
] as const satisfies readonly Route[];
