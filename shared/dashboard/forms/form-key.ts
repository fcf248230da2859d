import { randomUUID } from 'node:crypto';
import { Created } from '#shared/domain/created.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { idempotencyKeyHash } from '#shared/idempotency/idempotent.ts';
import { hashOfCreation } from '#shared/idempotency/request-hash.ts';
import type { Table } from '#shared/table/client.ts';
import { isUnsettled, performOnce } from '#shared/table/perform-once.ts';
import type { Alongside } from '#shared/table/transaction.ts';
import { textOf } from './form-values.ts';

/** Hidden field of a form that creates something: submitting it again creates nothing more. */
export const formKeyField = 'form_key';

/** For a form shown for the first time; it keeps its key while being corrected. */
export function newFormKey(): string {
  return randomUUID();
}

/** Throws `invalid_request` for an invalid form. */
export function readFormKey(form: FormData): string {
  const key = Uuid.safeParse(textOf(form, formKeyField));
  if (key.success) return key.data;
  throw new ServiceError('invalid_request', 'The form is not complete; open its page again');
}

interface SentForm {
  /** The scope of the key: a project, or the person who creates one. */
  readonly scope: string;
  readonly key: string;
  /** The route's pattern below the dashboard's path, such as `/projects/:project_id/new-task`. */
  readonly route: string;
  /** The request that the form makes. */
  readonly body: object;
}

/**
 * Creates what a form asks for unless the same form has created it in the last 24 h, and returns its ID either way;
 * null if the form was changed after it had been sent and created something else. Throws `conflict` while the same form
 * is in progress, and what `make` throws.
 *
 * @param make must write the items of `remember` first in its transaction
 */
export async function makeOnce(
  table: Table,
  { scope, key, route, body }: SentForm,
  make: (remember: Alongside<Created>) => Promise<Created>,
): Promise<string | null> {
  const once = {
    key: { projectId: scope, keyHash: idempotencyKeyHash(`dashboard form ${key}`, formKeyField) },
    requestHash: hashOfCreation(`/dashboard${route}`, body),
    body: Created,
    now: new Date(),
  };
  try {
    return (await performOnce(table, once, make)).body.id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'idempotency_key_reused') return null;
    // A form creates new items, so only the same form can conflict.
    throw isUnsettled(error)
      ? new ServiceError('conflict', 'This form is already being processed; send it again to see the result')
      : error;
  }
}

/** For a form that `makeOnce` answered with null, shown with a new key. */
export const usedFormProblem =
  'This form was already sent with other values, which took effect. Send it again to create this as well.';
