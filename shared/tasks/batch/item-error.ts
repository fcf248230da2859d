import type { ServiceError } from '#shared/domain/errors.ts';
import type { ItemError } from '#shared/domain/task-batch.ts';

/** Keeps only the first errors: more would not help and could exceed the item size. */
const maxFields = 10;

/** A refusal as stored with an item. */
export function toItemError({ code, detail, fields }: ServiceError): ItemError {
  return { code, detail, fields: fields.slice(0, maxFields) };
}
