import { PatientList } from '#shared/patients/list-patients.ts';
import { patient } from '../examples.ts';
import type { Operation } from '../operation.ts';
import {
  byMetadata,
  cursorError,
  filterParameters,
  lacksScope,
  limitError,
  pageParameters,
} from '../parameters.ts';

export const listPatients = {
  method: 'GET',
  path: '/v1/patient',
  authentication: 'api-key',
  summary: 'List the patients of the project, newest first.',
  tag: 'Patients',
  scope: 'patients:read',
  description:
    'The list is eventually consistent. Follow `next_cursor`, or the `Link` header, until it is null. ' +
    `${byMetadata}`,
  query: [...filterParameters, ...pageParameters],
  success: {
    status: 200,
    description: 'A page of patients.',
    schema: PatientList,
    headers: ['Link'],
    example: { patients: [patient], next_cursor: null },
  },
  errors: { 400: [limitError, cursorError], 403: [lacksScope('patients:read')] },
} as const satisfies Operation;
