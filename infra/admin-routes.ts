import type { Route } from './route.ts';

const people = { authentication: 'oidc', tableAccess: 'write' } as const;
const projects = { ...people, function: 'admin-projects' } as const;
const members = { ...people, function: 'admin-members' } as const;
const patients = { ...people, function: 'admin-patients' } as const;
const apiKeys = { ...people, function: 'admin-api-keys' } as const;
const webhooks = { ...people, function: 'admin-webhooks' } as const;
const tasks = { ...people, function: 'admin-tasks' } as const;

const project = '/admin/projects/{project_id}';
const webhook = `${project}/webhooks/{webhook_id}` as const;

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
    ...members,
    method: 'GET',
    path: `${project}/members`,
    summary: 'List who may enter the project, and as what.',
  },
  {
    ...members,
    method: 'PUT',
    path: `${project}/members/{email}`,
    summary: 'Give a person a role in the project.',
  },
  {
    ...members,
    method: 'DELETE',
    path: `${project}/members/{email}`,
    summary: 'Take a person out of the project.',
  },
  {
    method: 'GET',
    path: `${project}/audit-log`,
    function: 'admin-audit-log',
    authentication: 'oidc',
    tableAccess: 'read',
    summary: 'List what was done in the project and by whom, newest first.',
  },
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
  {
    ...webhooks,
    method: 'GET',
    path: `${project}/webhooks`,
    summary: 'List the webhooks of a project.',
  },
  {
    ...webhooks,
    method: 'POST',
    path: `${project}/webhooks`,
    summary: 'Add a webhook, with a signing secret of its own.',
  },
  {
    ...webhooks,
    method: 'GET',
    path: webhook,
    summary: 'Read a webhook.',
  },
  {
    ...webhooks,
    method: 'PATCH',
    path: webhook,
    summary: 'Change a webhook, or switch it on or off.',
  },
  {
    ...webhooks,
    method: 'DELETE',
    path: webhook,
    summary: 'Remove a webhook.',
  },
  {
    ...webhooks,
    method: 'GET',
    path: `${webhook}/secret`,
    summary: 'Read the signing secret of a webhook.',
  },
  {
    ...webhooks,
    method: 'POST',
    path: `${webhook}/secret/rotate`,
    summary: 'Give a webhook a new signing secret; the one before signs beside it for a while.',
  },
  {
    ...webhooks,
    method: 'POST',
    path: `${webhook}/test`,
    summary: 'Send a webhook that tells of nothing.',
  },
  {
    ...webhooks,
    method: 'POST',
    path: `${webhook}/replay`,
    summary: 'Send again what was not accepted of the events since a time.',
  },
  {
    ...webhooks,
    method: 'GET',
    path: `${webhook}/deliveries`,
    summary: 'List what was sent to a webhook, or is going to be, newest first.',
  },
  {
    ...webhooks,
    method: 'GET',
    path: `${webhook}/deliveries/{delivery_id}`,
    summary: 'Read a delivery with its attempts.',
  },
  {
    ...webhooks,
    method: 'POST',
    path: `${webhook}/deliveries/{delivery_id}/replay`,
    summary: 'Send one delivery again.',
  },
] as const satisfies readonly Route[];
