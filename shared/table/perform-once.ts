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

/** What is done once, and how it is known again. */
export interface OnceRequest<Body> {
  readonly key: IdempotencyKey;
  /** SHA-256 of what is asked for. */
  readonly requestHash: string;
  /** What is remembered. */
  readonly body: z.ZodMiniType<Body>;
  readonly now: Date;
  /** 24 hours unless given. */
  readonly lifetimeSeconds?: number;
}

export interface OnceAnswer<Body> {
  readonly body: Body;
  /** Whether it was done before, and this is what was remembered of it. */
  readonly isReplayed: boolean;
}

/**
 * Carries something out unless that has been done under the same key, and answers with what was made, then or now. Nothing
 * is read in advance: the record is written in the same transaction as what is made, and only when that did not succeed is
 * it looked for. Throws `idempotency_key_reused` when the key came with something else before, and otherwise what `perform`
 * throws, which `isUnsettled` tells whether it may have been done all the same.
 *
 * @param perform must write what `remember` makes before all else in the transaction of what it does
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

/** What was made under the key; null for nothing. Throws as `rememberedBody` does. */
export async function findRemembered<Body>(
  table: Table,
  { key, requestHash, body, now }: OnceRequest<Body>,
): Promise<Body | null> {
  const record = await getIdempotencyRecord(table, key, now);
  return record === null ? null : rememberedBody(record, requestHash, body);
}

/**
 * What the first request with a key was answered. Throws `idempotency_key_reused` when it asked for something else, and
 * `idempotency_in_progress` while a batch has yet to carry it out.
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

/** Whether another request was in the way, which may yet turn out either way. */
export function isUnsettled(error: unknown): boolean {
  return error instanceof IdempotencyKeyTaken || isTransactionConflict(error);
}
