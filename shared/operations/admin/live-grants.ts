import { GrantWishes, LiveGrantResource } from '#shared/admin/live-grant.ts';
import { onlyForOperators } from '#shared/admin/operators.ts';
import { bodyErrors } from '../parameters.ts';
import { noProject } from './errors.ts';
import { forPeople } from './for-people.ts';

const notGranted = 'Others are changing the project; try again';

/** Real calls, which only an operator of the service grants. */
export const liveGrantOperations = forPeople('Projects', {
  grantLive: {
    method: 'PUT',
    path: '/admin/projects/{project_id}/live-grant',
    summary: 'Let a project make real calls, or change what it may.',
    description:
      'For operators of the service, whom the deployment names. A project of the sandbox goes live: its ' +
      'tasks stay behind uncalled and its API keys are revoked. What is left out stays as it is.',
    body: {
      schema: GrantWishes,
      examples: { 'Within the usual limits': { caller_number: '+12025550150' } },
    },
    success: { status: 200, description: 'What the project may do.', schema: LiveGrantResource },
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
    summary: 'End the real calls of a project.',
    description:
      'For operators of the service. No call is dialed from then on; calls under way go on to their end.',
    success: { status: 200, description: 'The grant, withdrawn.', schema: LiveGrantResource },
    errors: {
      403: [onlyForOperators],
      404: [noProject],
      409: ['The project has no grant to withdraw', notGranted],
    },
  },
});
