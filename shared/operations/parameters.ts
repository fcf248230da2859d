import { defaultLimit, maxLimit } from '#shared/http/list-page.ts';
import type { QueryParameter } from './operation.ts';

/** Which page of a list is wanted, as `readListPosition` reads it. */
export const pageParameters: readonly QueryParameter[] = [
  {
    name: 'limit',
    description: 'How many to answer with at most; a page may be shorter and still be followed by another.',
    schema: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit },
  },
  {
    name: 'cursor',
    description: '`next_cursor` of the page before.',
    schema: { type: 'string' },
  },
];

export const cursorError = 'cursor is not one that this list was answered with';

/** A boolean of the query, as `readFlag` reads it. */
export function flag(name: string, description: string): QueryParameter {
  return { name, description, schema: { type: 'boolean', default: false } };
}

export const limitError = 'limit must be a whole number from 1 to 100';

export const bodyErrors = ['Missing required fields', 'Malformed JSON body', 'body must be a JSON object'];

export const keyError = 'Idempotency-Key must be 1 to 255 printable ASCII characters';

export const noSandboxPhone = 'The project is one of the sandbox, and this deployment has no sandbox phone';

export const otherProjectsKey = 'API key does not grant access to this project';

export const onLegalHold = 'The project is under a legal hold: nothing can be erased';
