import { Me, NewProjectBody, ProjectList, ProjectPatch, ProjectResource } from '#shared/admin/projects.ts';
import { UsageResource } from '#shared/admin/usage.ts';
import { bodyErrors, cursorError, limitError, pageParameters } from '../parameters.ts';
import { noProject, onlyFor } from './errors.ts';
import { forPeople } from './for-people.ts';

/** Projects, and the signed-in person. */
export const projectOperations = forPeople('Projects', {
  getMe: {
    method: 'GET',
    path: '/admin/me',
    summary: 'Get the signed-in person and their projects.',
    tag: 'Members',
    success: { status: 200, description: 'The person and their projects.', schema: Me },
    errors: {},
  },
  listProjects: {
    method: 'GET',
    path: '/admin/projects',
    summary: 'List the projects of the signed-in person, newest first.',
    query: pageParameters,
    success: { status: 200, description: 'A page of projects.', schema: ProjectList, headers: ['Link'] },
    errors: { 400: [limitError, cursorError] },
  },
  createProject: {
    method: 'POST',
    path: '/admin/projects',
    summary: 'Create a project and become its owner.',
    body: {
      schema: NewProjectBody,
      examples: { 'Name only': { name: 'Riverside Family Clinic' } },
    },
    success: { status: 201, description: 'The project, without an API key yet.', schema: ProjectResource },
    errors: {
      400: bodyErrors,
      403: ['A project starts in the sandbox; an operator of this service grants live calls'],
    },
  },
  getProject: {
    method: 'GET',
    path: '/admin/projects/{project_id}',
    summary: 'Get a project with its settings.',
    success: { status: 200, description: 'The project.', schema: ProjectResource },
    errors: { 404: [noProject] },
  },
  getProjectUsage: {
    method: 'GET',
    path: '/admin/projects/{project_id}/usage',
    summary: 'Read the daily usage of a project and its estimated cost.',
    description:
      'Days are in UTC. Calls count once they have ended, on the day they began. Costs are computed as in ' +
      '`npm run cost`, from counted requests and list prices.',
    query: [
      {
        name: 'from',
        description: 'First day, by default 30 days before the last one.',
        schema: { type: 'string', format: 'date' },
      },
      {
        name: 'to',
        description: 'Last day, at most 30 days after the first; by default today.',
        schema: { type: 'string', format: 'date' },
      },
    ],
    success: { status: 200, description: 'The usage of each day.', schema: UsageResource },
    errors: {
      400: [
        'from must be a calendar date in the form YYYY-MM-DD',
        'from must not be after to',
        'from and to must not be more than 30 days apart',
      ],
      404: [noProject],
    },
  },
  changeProject: {
    method: 'PATCH',
    path: '/admin/projects/{project_id}',
    summary: 'Change settings of a project.',
    description: 'Absent members stay unchanged; null clears optional ones.',
    body: {
      schema: ProjectPatch,
      examples: {
        'Fewer attempts, and recordings for a month': {
          redial_policy: { max_attempts: 2 },
          recording_retention_days: 30,
        },
        'Agent identity': {
          agent: {
            agent_name: 'Sam',
            organization_name: 'Riverside Family Clinic',
            on_behalf_of: 'provider',
            npi: '1234567893',
            disclosure: { deny: ['address'] },
            speech_hints: ['Dr. Okafor'],
          },
        },
      },
    },
    success: { status: 200, description: 'The updated project.', schema: ProjectResource },
    errors: {
      400: bodyErrors,
      403: [onlyFor('settings.change'), 'The caller number of a live project is changed by an operator'],
      404: [noProject],
      409: [
        "A project's carrier cannot be changed here: an operator of this service grants live calls",
        'Others are changing the project; try again',
      ],
    },
  },
});
