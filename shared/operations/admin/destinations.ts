import { Destinations } from '#shared/admin/destinations.ts';
import { DestinationBody } from '#shared/directory/change-directory.ts';
import { DirectoryEntry } from '#shared/domain/directory-entry.ts';
import { ids } from '../examples.ts';
import type { Operations } from '../operation.ts';
import { bodyErrors } from '../parameters.ts';
import { noProject, onlyFor } from './errors.ts';

const said = {
  last_phone_number: null,
  name: 'Example Health, provider line',
  kind: 'payer',
  hours: {
    time_zone: 'America/New_York',
    weekly: [{ days: [1, 2, 3, 4, 5], opens: '08:00', closes: '18:00' }],
  },
  max_hold_minutes: 45,
  concurrent_calls: 4,
} as const;

const entry = {
  project_id: ids.project,
  phone_number: '+18885550142',
  ...said,
  updated_by: 'kim@example.com',
  updated_at: '2026-11-20T15:07:21.002Z',
} as const;
const { project_id: _, updated_by: __, ...shown } = entry;

const noNumber = 'Invalid phone number format';
const noDestination = 'Destination not found';
const changed = 'The destination was changed by others; look at it again';
const number = {
  phone_number: {
    description: 'E.164, the first one of a range; the plus sign is written %2B.',
    schema: { type: 'string', pattern: '^\\+[1-9]\\d{1,14}$' },
  },
} as const;

/** The lines that a project calls. Those of the operator are changed by command only. */
export const destinationOperations = {
  listDestinations: {
    method: 'GET',
    path: '/admin/projects/{project_id}/destinations',
    authentication: 'oidc',
    summary: 'List the lines that the project and the operator know.',
    tag: 'Destinations',
    description:
      'Both hold: calls at once, hold limit and hours of the project narrow those of the operator. A number that nobody knows takes one call at a time, a toll-free one ten.',
    success: {
      status: 200,
      description: 'All entries, by number.',
      schema: Destinations,
      example: { destinations: [entry], operator: [{ ...shown, concurrent_calls: 10 }] },
    },
    errors: { 403: [onlyFor('destinations.read')], 404: [noProject] },
  },
  saveDestination: {
    method: 'PUT',
    path: '/admin/projects/{project_id}/destinations/{phone_number}',
    authentication: 'oidc',
    summary: 'Add a line to the directory of the project, or replace it.',
    tag: 'Destinations',
    pathParameters: number,
    body: { schema: DestinationBody, examples: { 'A payer': said } },
    success: {
      status: 200,
      description: 'The entry as it holds now.',
      schema: DirectoryEntry,
      example: entry,
    },
    errors: {
      400: [...bodyErrors, noNumber],
      403: [onlyFor('destinations.change')],
      404: [noProject],
      409: [changed, 'The numbers overlap with the entry of +18885550140'],
    },
  },
  removeDestination: {
    method: 'DELETE',
    path: '/admin/projects/{project_id}/destinations/{phone_number}',
    authentication: 'oidc',
    summary: 'Remove a line from the directory of the project.',
    tag: 'Destinations',
    pathParameters: number,
    success: { status: 204, description: 'What the operator says of it still holds.', schema: null },
    errors: {
      400: [noNumber],
      403: [onlyFor('destinations.change')],
      404: [noProject, noDestination],
      409: [changed],
    },
  },
} as const satisfies Operations;
