import { GrantInput, LiveGrantResource } from '#shared/admin/live-grant.ts';
import { onlyForOperators } from '#shared/admin/operators.ts';
import { bodyErrors } from '../parameters.ts';
import { noProject } from './errors.ts';
import { forPeople } from './for-people.ts';

const notGranted = 'Others are changing the project; try again';

/** Live calls, which only an operator of the service grants. */
export const liveGrantOperations = forPeople('Projects', {
  grantLive: {
    method: 'PUT',
    path: '/admin/projects/{project_id}/live-grant',
    summary: 'Let a project make real calls, or change its limits.',
    description:
      'For operators of the service, whom the deployment names. A sandbox project goes live: its ' +
      'tasks stay behind uncalled and its API keys are revoked. Absent members stay unchanged.',
    body: {
      schema: GrantInput,
      examples: { 'Within the default limits': { caller_number: '+12025550150' } },
    },
    success: { status: 200, description: 'The project’s grant.', schema: LiveGrantResource },
    errors: {
      400: [
        ...bodyErrors,
        'caller_number must be a number of the carrier account, bought for calls or verified as a caller ID',
      ],
      403: [onlyForOperators],
      404: [noProject],
      409: ['The service has no credentials for the live carrier', notGranted],
    },
  },
  withdrawLive: {
    method: 'DELETE',
    path: '/admin/projects/{project_id}/live-grant',
    summary: 'Withdraw a project’s grant of real calls.',
    description: 'For operators of the service. No more calls are dialed; calls in progress continue.',
    success: { status: 200, description: 'The withdrawn grant.', schema: LiveGrantResource },
    errors: {
      403: [onlyForOperators],
      404: [noProject],
      409: ['The project has no grant to withdraw', notGranted],
    },
  },
});
