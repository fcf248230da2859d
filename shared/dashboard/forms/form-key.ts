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

/** Hidden field of a form that makes something: however often such a form is sent, it makes one thing. */
export const formKeyField = 'form_key';

/** For a form that is shown for the first time; it keeps its key for as long as it is corrected. */
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
  /** Within what its key means something: a project, or the person who is going to have one. */
  readonly scope: string;
  readonly key: string;
  /** The route's pattern below the dashboard's path, such as `/projects/:project_id/new-task`. */
  readonly route: string;
  /** What the form asks for. */
  readonly body: object;
}

/**
 * Makes what a form asks for unless the same form has made it in the last 24 h, and answers with the identifier of what
 * was made, then or now; null when the form has made something else, because it was changed after it was sent. Throws
 * `conflict` while the same form is being carried out, and what `make` throws.
 *
 * @param make must write what `remember` makes before all else in the transaction of what it does
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
    // What a form makes is new, so that only the same form can be in its way.
    throw isUnsettled(error)
      ? new ServiceError(
          'conflict',
          'This form is being carried out already; send it again to see what it made',
        )
      : error;
  }
}

/** For a form that `makeOnce` has answered with null; it is shown with a new key. */
export const usedFormProblem =
  'This form was sent before, and what it said then was done. Send it again if you want this as well.';
