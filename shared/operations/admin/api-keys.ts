import {
  ApiKeyList,
  ApiKeyResource,
  ApiKeyRotation,
  CreatedApiKey,
  NewApiKey,
  RotatedApiKey,
} from '#shared/admin/api-keys.ts';
import { bodyErrors, cursorError, limitError, pageParameters } from '../parameters.ts';
import { noProject, onlyFor } from './errors.ts';
import { forPeople } from './for-people.ts';

const noKeyId = 'Invalid API key ID format';
const noKey = 'API key not found';

/** The API keys of a project. */
export const apiKeyOperations = forPeople('API keys', {
  listApiKeys: {
    method: 'GET',
    path: '/admin/projects/{project_id}/api-keys',
    summary: 'List the API keys of a project, newest first.',
    query: pageParameters,
    success: {
      status: 200,
      description: 'A page of keys, newest first.',
      schema: ApiKeyList,
      headers: ['Link'],
    },
    errors: { 400: [limitError, cursorError], 403: [onlyFor('keys.read')], 404: [noProject] },
  },
  createApiKey: {
    method: 'POST',
    path: '/admin/projects/{project_id}/api-keys',
    summary: 'Create an API key, which only this response contains.',
    description: 'Only this response contains the key itself.',
    body: {
      schema: NewApiKey,
      examples: {
        'For ever': { name: 'Scheduling backend' },
        'For one purpose': {
          name: 'Reporting',
          scopes: ['tasks:read', 'recordings:read'],
          allowed_addresses: ['198.51.100.0/24'],
        },
        'For a limited time': { name: 'Trial', expires_at: '2027-01-31T00:00:00Z' },
      },
    },
    success: { status: 201, description: 'The key.', schema: CreatedApiKey },
    errors: {
      400: [...bodyErrors, 'expires_at must be in the future'],
      403: [onlyFor('keys.change')],
      404: [noProject],
    },
  },
  revokeApiKey: {
    method: 'POST',
    path: '/admin/projects/{project_id}/api-keys/{api_key_id}/revoke',
    summary: 'Revoke an API key, which works for at most ten more seconds.',
    description: 'The key works for at most 10 more seconds.',
    success: { status: 200, description: 'The revoked key.', schema: ApiKeyResource },
    errors: { 400: [noKeyId], 403: [onlyFor('keys.change')], 404: [noProject, noKey] },
  },
  rotateApiKey: {
    method: 'POST',
    path: '/admin/projects/{project_id}/api-keys/{api_key_id}/rotate',
    summary: 'Replace an API key, which keeps working for some hours.',
    description:
      'Creates a new key; the old one works through the overlap. Without `expires_at` the new key expires ' +
      'when the old one would have.',
    body: { schema: ApiKeyRotation, examples: { 'Two days for both': { overlap_hours: 48 } } },
    success: { status: 201, description: 'The new key and the old one.', schema: RotatedApiKey },
    errors: {
      400: [...bodyErrors, noKeyId, 'expires_at must be in the future'],
      403: [onlyFor('keys.change')],
      404: [noProject, noKey],
      409: [
        'The API key is inactive: create a new one',
        'The API key has been replaced: rotate its replacement',
        'The API key is being changed: try again',
      ],
    },
  },
});
