import { Destinations } from '#shared/admin/destinations.ts';
import { DestinationBody } from '#shared/directory/change-directory.ts';
import { DirectoryEntry } from '#shared/domain/directory-entry.ts';
import { ids } from '../examples.ts';
import { bodyErrors } from '../parameters.ts';
import { noProject, onlyFor } from './errors.ts';
import { forPeople } from './for-people.ts';

const said = {
  last_phone_number: null,
  name: 'Example Health, provider line',
  kind: 'payer',
  hours: {
    time_zone: 'America/New_York',
    weekly: [{ days: [1, 2, 3, 4, 5], opens: '08:00', closes: '18:00' }],
  },
  max_hold_minutes: 45,
  max_call_minutes: 90,
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
const changed = 'Someone else changed the destination; reload it';
const number = {
  phone_number: {
    description: 'E.164; for a range, its first number. Write the plus sign as %2B.',
    schema: { type: 'string', pattern: '^\\+[1-9]\\d{1,14}$' },
  },
} as const;

/** A project's directory of lines. The operator's is changed only from the command line. */
export const destinationOperations = forPeople('Destinations', {
  listDestinations: {
    method: 'GET',
    path: '/admin/projects/{project_id}/destinations',
    summary: 'List the lines in the directories of the project and the operator.',
    description:
      'Both apply: the project’s concurrent calls, limits and hours narrow the operator’s. By default a ' +
      'number takes one call at a time, a toll-free number ten.',
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
    summary: 'Add or replace a line in the directory of the project.',
    pathParameters: number,
    body: { schema: DestinationBody, examples: { 'A payer': said } },
    success: {
      status: 200,
      description: 'The current entry.',
      schema: DirectoryEntry,
      example: entry,
    },
    errors: {
      400: [...bodyErrors, noNumber],
      403: [onlyFor('destinations.change')],
      404: [noProject],
      409: [changed, 'The numbers overlap the entry of +18885550140'],
    },
  },
  removeDestination: {
    method: 'DELETE',
    path: '/admin/projects/{project_id}/destinations/{phone_number}',
    summary: 'Remove a line from the directory of the project.',
    pathParameters: number,
    success: { status: 204, description: 'The operator’s entry still applies.', schema: null },
    errors: {
      400: [noNumber],
      403: [onlyFor('destinations.change')],
      404: [noProject, noDestination],
      409: [changed],
    },
  },
});
