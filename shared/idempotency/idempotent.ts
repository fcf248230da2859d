import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { idempotencyInProgress, invalidField } from '#shared/domain/errors.ts';
import { annotateLog } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import { isUnsettled, performOnce } from '#shared/table/perform-once.ts';
import { type Alongside, nothingAlongside } from '#shared/table/transaction.ts';
import type { Answer, Caller, RawRequest } from '#shared/triggers/http.ts';
import { requestHash } from './request-hash.ts';

interface IdempotentAnswer<Body> {
  readonly table: Table;
  readonly body: z.ZodMiniType<Body>;
  readonly now?: () => Date;
}

/** What identifies a request, and whether it is a repetition. */
export type RepeatableRequest = Pick<
  RawRequest,
  'method' | 'resource' | 'pathParameters' | 'headers' | 'body'
>;

/**
 * Makes an operation idempotent for clients that send an `Idempotency-Key`: of all requests of a project with
 * the same key within 24 h, one is carried out, and the others get its response with `Idempotent-Replayed:
 * true`. Only successes are stored, so a refused or failed request may be repeated with its key. Throws
 * `idempotency_key_reused` when the key came with another request before, `idempotency_in_progress` while the
 * first request with it is in progress.
 *
 * @param perform must put the items of `remember` first in its transaction
 */
export function idempotent<Input, Body, Client extends Pick<Caller, 'projectId'>>(
  { table, body, now = () => new Date() }: IdempotentAnswer<Body>,
  perform: (caller: Client, input: Input, remember: Alongside<Body>) => Promise<Body>,
): (caller: Client, input: Input, request: RepeatableRequest) => Promise<Answer<Body>> {
  return async (caller, input, request) => {
    const keyHash = readKeyHash(request);
    if (keyHash === null) return { body: await perform(caller, input, nothingAlongside) };
    const once = {
      key: { projectId: caller.projectId, keyHash },
      requestHash: requestHash(request),
      body,
      now: now(),
    };
    const answer = await performOnce(table, once, (remember) => perform(caller, input, remember)).catch(
      (error: unknown) => {
        throw isUnsettled(error) ? idempotencyInProgress() : error;
      },
    );
    if (!answer.isReplayed) return { body: answer.body };
    annotateLog({ idempotency: 'replayed' });
    return { headers: { 'Idempotent-Replayed': 'true' }, body: answer.body };
  };
}

/** Printable ASCII; surrounding space belongs to the header, not the key. */
const keyPattern = /^[\x20-\x7e]{1,255}$/;

function readKeyHash({ headers }: RepeatableRequest): string | null {
  const header = headers['idempotency-key'];
  return header === undefined ? null : idempotencyKeyHash(header, 'Idempotency-Key');
}

/** The stored form of a key. Throws `invalid_request` for an invalid one. @param path where it was given */
export function idempotencyKeyHash(text: string, path: string): string {
  const key = text.trim();
  if (!keyPattern.test(key)) {
    throw invalidField(path, `${path} must be 1 to 255 printable ASCII characters`);
  }
  return createHash('sha256').update(key).digest('hex');
}
