import * as z from 'zod/mini';
import { idempotencyInProgress, idempotencyKeyReused } from '#shared/domain/errors.ts';
import type { Table } from './client.ts';
import {
  createIdempotencyRecordItem,
  getIdempotencyRecord,
  type IdempotencyKey,
  IdempotencyKeyTaken,
  type IdempotencyRecord,
} from './idempotency.ts';
import { type Alongside, isTransactionConflict } from './transaction.ts';

/** An operation to perform once, and its identity. */
export interface OnceRequest<Body> {
  readonly key: IdempotencyKey;
  /** SHA-256 of the request. */
  readonly requestHash: string;
  /** What to store. */
  readonly body: z.ZodMiniType<Body>;
  readonly now: Date;
  /** 24 hours unless given. */
  readonly lifetimeSeconds?: number;
}

export interface OnceAnswer<Body> {
  readonly body: Body;
  /** Whether this is the stored result of an earlier run. */
  readonly isReplayed: boolean;
}

/**
 * Performs an operation once per key and returns its result, new or remembered. Optimistic: the record is
 * written in the same transaction as the result and read only if that fails. Throws `idempotency_key_reused`
 * when the key belongs to another request, and what `perform` throws; `isUnsettled` tells whether such a
 * failure may still take effect.
 *
 * @param perform must put the items of `remember` first in its transaction
 */
export async function performOnce<Body>(
  table: Table,
  request: OnceRequest<Body>,
  perform: (remember: Alongside<Body>) => Promise<Body>,
): Promise<OnceAnswer<Body>> {
  const { key, requestHash, now, lifetimeSeconds } = request;
  const remember: Alongside<Body> = (body) => [
    createIdempotencyRecordItem(
      table,
      key,
      { request_hash: requestHash, answer: JSON.stringify(body) },
      now,
      lifetimeSeconds,
    ),
  ];
  try {
    return { body: await perform(remember), isReplayed: false };
  } catch (error) {
    const body = await findRemembered(table, request);
    if (body === null) throw error;
    return { body, isReplayed: true };
  }
}

/** The remembered result of the key, or null. Throws as `rememberedBody` does. */
async function findRemembered<Body>(
  table: Table,
  { key, requestHash, body, now }: OnceRequest<Body>,
): Promise<Body | null> {
  const record = await getIdempotencyRecord(table, key, now);
  return record === null ? null : rememberedBody(record, requestHash, body);
}

/**
 * The response to the first request with the key. Throws `idempotency_key_reused` when that request was different, and
 * `idempotency_in_progress` while a batch has not performed it yet.
 */
export function rememberedBody<Body>(
  record: IdempotencyRecord,
  requestHash: string,
  body: z.ZodMiniType<Body>,
): Body {
  if (record.request_hash !== requestHash) throw idempotencyKeyReused();
  if (record.batch_id !== undefined) throw idempotencyInProgress();
  return z.parse(body, JSON.parse(record.answer));
}

/** Whether the failure is due to another request with unknown outcome. */
export function isUnsettled(error: unknown): boolean {
  return error instanceof IdempotencyKeyTaken || isTransactionConflict(error);
}
