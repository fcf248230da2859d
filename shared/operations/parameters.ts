import type { Scope } from '#shared/domain/api-key.ts';
import { phoneNumberPattern } from '#shared/domain/values.ts';
import { defaultLimit, maxLimit } from '#shared/http/list-page.ts';
import type { QueryParameter } from './operation.ts';

/** The requested page of a list, as `readListPosition` reads it. */
export const pageParameters: readonly QueryParameter[] = [
  {
    name: 'limit',
    description: 'Maximum number of results; a shorter page may still be followed by another.',
    schema: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit },
  },
  {
    name: 'cursor',
    description: '`next_cursor` of the previous page.',
    schema: { type: 'string' },
  },
];

export const cursorError = 'cursor does not belong to this list';

/** A boolean query parameter, as `readFlag` reads it. */
export function flag(name: string, description: string): QueryParameter {
  return { name, description, schema: { type: 'boolean', default: false } };
}

export const limitError = 'limit must be a whole number from 1 to 100';

export const bodyErrors = ['Missing required fields', 'Malformed JSON body', 'body must be a JSON object'];

export const keyError = 'Idempotency-Key must be 1 to 255 printable ASCII characters';

export const noSandboxPhone = 'This is a sandbox project, and this deployment has no sandbox phone';

export const otherProjectsKey = 'API key does not grant access to this project';

export const patientParameter = 'external_id belongs to patient 01a1fc97-58bc-708f-8a0c-7cb537214c80 already';

export const taskParameter = 'external_id belongs to task 01a1fc97-5939-7d04-b5c3-48bad54457cb already';

/** The message to a client whose key lacks the scope. */
export const lacksScope = (scope: Scope): string => `API key lacks the scope ${scope}`;
export const onLegalHold = 'The project is under a legal hold: nothing can be erased';
const dateTime = { type: 'string', format: 'date-time' } as const;

/** Filters of patient and task lists, as `readListFilter` reads them. */
export const filterParameters: readonly QueryParameter[] = [
  { name: 'created_after', description: 'Created at this time or later.', schema: dateTime },
  { name: 'created_before', description: 'Created before this time.', schema: dateTime },
  { name: 'updated_after', description: 'Changed after this time.', schema: dateTime },
  {
    name: 'phone_number',
    description: 'Only with this number (E.164; write `+` as `%2B`).',
    schema: { type: 'string', pattern: phoneNumberPattern.source },
  },
  {
    name: 'external_id',
    description: 'Only the one with this `external_id`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
];

/** Not declared as a parameter: what Java's generator makes of `deepObject` does not compile. */
export const byMetadata = 'Up to five filters such as `metadata[clinic]=north` select by metadata.';
