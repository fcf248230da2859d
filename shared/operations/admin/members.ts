import { MemberList, MemberResource, NewMember } from '#shared/admin/members.ts';
import { bodyErrors } from '../parameters.ts';
import { noProject, onlyFor } from './errors.ts';
import { forPeople } from './for-people.ts';

const member = { description: 'Email address of the member.', schema: { type: 'string', format: 'email' } };

/** Who may enter a project. */
export const memberOperations = forPeople('Members', {
  listMembers: {
    method: 'GET',
    path: '/admin/projects/{project_id}/members',
    summary: 'List who may enter the project, and as what.',
    success: { status: 200, description: 'Everybody who may enter the project.', schema: MemberList },
    errors: { 403: [onlyFor('members.read')], 404: [noProject] },
  },
  setMember: {
    method: 'PUT',
    path: '/admin/projects/{project_id}/members/{email}',
    summary: 'Give a person a role in the project.',
    description:
      'Adds the person or changes their role. They need not have signed in yet. Where the service sends ' +
      'mail, a new person is invited: `invitation` is not null until they accept, and asking again sends ' +
      'another link.',
    pathParameters: { email: member },
    body: { schema: NewMember, examples: { 'Somebody who reads': { role: 'viewer' } } },
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
    summary: 'Take a person out of the project, or revoke their invitation.',
    pathParameters: { email: member },
    success: { status: 204, description: 'The person may not enter any more.', schema: null },
    errors: {
      400: ['Invalid email address format'],
      403: [onlyFor('members.change')],
      404: [noProject, 'Member not found'],
      409: ['The project must keep an owner: make someone else an owner first'],
    },
  },
});
