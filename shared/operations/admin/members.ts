import { MemberList, MemberResource, NewMember } from '#shared/admin/members.ts';
import { bodyErrors } from '../parameters.ts';
import { noProject, onlyFor } from './errors.ts';
import { forPeople } from './for-people.ts';

const member = { description: 'Email address of the member.', schema: { type: 'string', format: 'email' } };

/** The members of a project. */
export const memberOperations = forPeople('Members', {
  listMembers: {
    method: 'GET',
    path: '/admin/projects/{project_id}/members',
    summary: 'List the members of the project and their roles.',
    success: { status: 200, description: 'All members of the project.', schema: MemberList },
    errors: { 403: [onlyFor('members.read')], 404: [noProject] },
  },
  setMember: {
    method: 'PUT',
    path: '/admin/projects/{project_id}/members/{email}',
    summary: 'Give a person a role in the project.',
    description:
      'Adds the person or changes their role. They need not have signed in yet. If the service sends ' +
      'email, a new person is invited: `invitation` is set until they accept, and repeating the request sends ' +
      'another link.',
    pathParameters: { email: member },
    body: { schema: NewMember, examples: { 'A viewer': { role: 'viewer' } } },
    success: { status: 200, description: 'The member.', schema: MemberResource },
    errors: {
      400: [...bodyErrors, 'Invalid email address format'],
      403: [onlyFor('members.change')],
      404: [noProject],
      409: [
        'The project must keep an owner: make someone else an owner first',
        'Too many invitations are open: revoke some first',
      ],
    },
  },
  removeMember: {
    method: 'DELETE',
    path: '/admin/projects/{project_id}/members/{email}',
    summary: 'Remove a person from the project, or revoke their invitation.',
    pathParameters: { email: member },
    success: { status: 204, description: 'The person is removed.', schema: null },
    errors: {
      400: ['Invalid email address format'],
      403: [onlyFor('members.change')],
      404: [noProject, 'Member not found'],
      409: ['The project must keep an owner: make someone else an owner first'],
    },
  },
});
