import {
  NewOptOut,
  OptOutDecision,
  OptOutEntries,
  OptOutImport,
  OptOutsAdded,
} from '#shared/admin/opt-outs.ts';
import { OptOut } from '#shared/domain/opt-out.ts';
import { ids } from '../examples.ts';
import { bodyErrors } from '../parameters.ts';
import { noProject, onlyFor } from './errors.ts';
import { forPeople } from './for-people.ts';

const optOut = {
  project_id: ids.project,
  phone_number: '+12025550120',
  call_id: ids.call,
  task_id: ids.task,
  status: 'active',
  source: 'call',
  added_by: null,
  reason: null,
  decision: null,
  created_at: '2026-11-20T15:07:21.002Z',
} as const;

const decision = { 'With a reason': { reason: 'They called back and want to be called.' } };
const noOptOut = 'Opt-out not found';
const noNumber = 'Invalid phone number format';
const changed = 'Someone else changed the opt-out; reload it';
const number = {
  phone_number: {
    description: 'E.164; write the plus sign as %2B.',
    schema: { type: 'string', pattern: '^\\+[1-9]\\d{1,14}$' },
  },
} as const;

/** The numbers that the project must not call. Only a command changes the operator's list. */
export const optOutOperations = forPeople('Opt-outs', {
  listOptOuts: {
    method: 'GET',
    path: '/admin/projects/{project_id}/opt-outs',
    summary: 'List the numbers that asked the project not to be called again.',
    description:
      'Includes lifted ones, with who lifted them, when and why. `review` was made on a shared line and ' +
      'takes effect only once confirmed.',
    success: {
      status: 200,
      description: 'All entries, by number.',
      schema: OptOutEntries,
      example: { opt_outs: [optOut] },
    },
    errors: { 403: [onlyFor('opt-outs.read')], 404: [noProject] },
  },
  addOptOut: {
    method: 'POST',
    path: '/admin/projects/{project_id}/opt-outs',
    summary: 'Add a number to the do-not-call list of the project.',
    body: {
      schema: NewOptOut,
      examples: { 'By letter': { phone_number: '+12025550120', reason: 'Asked for it by letter.' } },
    },
    success: {
      status: 200,
      description: 'Whether it was added or already listed.',
      schema: OptOutsAdded,
      example: { added: 1, already: 0 },
    },
    errors: { 400: bodyErrors, 403: [onlyFor('opt-outs.change')], 404: [noProject] },
  },
  importOptOuts: {
    method: 'POST',
    path: '/admin/projects/{project_id}/opt-outs/import',
    summary: 'Add the numbers of a CSV file to the do-not-call list of the project.',
    description:
      'Numbers are in the first column, with or without a heading. A single invalid line prevents the whole import.',
    body: {
      schema: OptOutImport,
      examples: {
        'Two numbers': { csv: 'number\n+12025550120\n+12025550121\n', reason: 'From the old system.' },
      },
    },
    success: {
      status: 200,
      description: 'How many were added, and how many were already listed.',
      schema: OptOutsAdded,
      example: { added: 2, already: 0 },
    },
    errors: {
      400: [...bodyErrors, 'Line 2 must begin with a number such as +12025550142'],
      403: [onlyFor('opt-outs.change')],
      404: [noProject],
    },
  },
  confirmOptOut: {
    method: 'POST',
    path: '/admin/projects/{project_id}/opt-outs/{phone_number}/confirm',
    summary: 'Confirm an opt-out that was made on a shared line.',
    pathParameters: number,
    body: { schema: OptOutDecision, examples: decision },
    success: { status: 200, description: 'The confirmed entry.', schema: OptOut, example: optOut },
    errors: {
      400: [...bodyErrors, noNumber],
      403: [onlyFor('opt-outs.change')],
      404: [noProject, noOptOut],
      409: [changed],
    },
  },
  liftOptOut: {
    method: 'POST',
    path: '/admin/projects/{project_id}/opt-outs/{phone_number}/lift',
    summary: 'Let the project call a number again.',
    description: 'If the operator’s list has the number, too, an operator must lift it there.',
    pathParameters: number,
    body: { schema: OptOutDecision, examples: decision },
    success: {
      status: 200,
      description: 'The entry, which stays on the list.',
      schema: OptOut,
      example: { ...optOut, status: 'lifted' },
    },
    errors: {
      400: [...bodyErrors, noNumber],
      403: [onlyFor('opt-outs.change')],
      404: [noProject, noOptOut],
      409: [changed],
    },
  },
});
