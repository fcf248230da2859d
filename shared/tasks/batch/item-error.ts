import type { ServiceError } from '#shared/domain/errors.ts';
import type { ItemError } from '#shared/domain/task-batch.ts';

/** A list of thousands of wrong entries tells nobody more than its beginning, and an item of the table has its limit. */
const maxFields = 10;

/** A refusal as it is kept with an item. */
export function toItemError({ code, detail, fields }: ServiceError): ItemError {
  return { code, detail, fields: fields.slice(0, maxFields) };
}
