import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import { Timestamp } from '#shared/domain/values.ts';
import { batchGet } from './batch-get.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';
import { ExpiresAtSeconds, expiresIn, isExpired } from './time-to-live.ts';
import { sealEach } from './to-seal.ts';
import { refusedAs, type TransactionItem } from './transaction.ts';
import { itemDelete, itemPut, when } from './transaction-items.ts';

/** The result of the first request with an idempotency key. */
export const IdempotencyRecord = z.object({
  /** SHA-256 of the request; stored sealed, because a short request can be guessed from it. */
  request_hash: z.string(),
  /** The response body, as JSON. */
  answer: z.string(),
  /** Set until the batch that reserved the key has created the task. */
  batch_id: z.optional(z.string()),
  created_at: Timestamp,
  expires_at_seconds: ExpiresAtSeconds,
});
export type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;

/** A client's key, scoped to its project or, before there is one, to a person. */
export interface IdempotencyKey {
  /** The project, or the person. */
  readonly projectId: string;
  /** Within the project; absent for clients' keys. */
  readonly scope?: 'IMPORT';
  /** SHA-256 of the key, which may be long and need not be stored. */
  readonly keyHash: string;
}

/** How long an idempotency key identifies its request. */
const requestLifetimeSeconds = 24 * 60 * 60;

function idempotencyKey({ projectId, scope, keyHash }: IdempotencyKey): PrimaryKey {
  const place = scope === undefined ? projectId : `${projectId}#${scope}`;
  return { pk: `IDEMPOTENCY#${place}#${keyHash}`, sk: 'IDEMPOTENCY' };
}

/**
 * Requires that the key was not used in its lifetime, 24 h by default, even if an expired record has not been deleted
 * yet; otherwise the transaction throws `IdempotencyKeyTaken`. Goes first among the items, so that it takes precedence
 * over other failures.
 */
export function createIdempotencyRecordItem(
  table: Table,
  key: IdempotencyKey,
  record: RecordContent,
  now: Date,
  lifetimeSeconds: number = requestLifetimeSeconds,
): TransactionItem {
  return putItem(table, key, record, { now, lifetimeSeconds, reservedFor: null });
}

/** For a batch the key is only reserved: until it is used, the request counts as in progress. */
type RecordContent = Pick<IdempotencyRecord, 'request_hash' | 'answer'> & { readonly batch_id?: string };

/** Replaces the batch's reservation by the response. Same condition as above, or the batch holds the key. */
export function useReservedKeyItem(
  table: Table,
  key: IdempotencyKey,
  record: RecordContent,
  batchId: string,
  now: Date,
): TransactionItem {
  return putItem(table, key, record, { now, lifetimeSeconds: requestLifetimeSeconds, reservedFor: batchId });
}

/** Releases a key that the batch reserved and will not use. Fails if another request has it. */
export function releaseReservedKeyItem(table: Table, key: IdempotencyKey, batchId: string): TransactionItem {
  return itemDelete(
    table,
    idempotencyKey(key),
    when('attribute_not_exists(pk) OR batch_id = :batch_id', { batch_id: batchId }),
  );
}

/** Forgets the request. */
export function deleteIdempotencyRecordItem(table: Table, key: IdempotencyKey): TransactionItem {
  return itemDelete(table, idempotencyKey(key));
}

function putItem(
  table: Table,
  key: IdempotencyKey,
  record: RecordContent,
  {
    now,
    lifetimeSeconds,
    reservedFor,
  }: { readonly now: Date; readonly lifetimeSeconds: number; readonly reservedFor: string | null },
): TransactionItem {
  const isFree = 'attribute_not_exists(pk) OR expires_at_seconds <= :now';
  const item = itemPut(
    table,
    {
      ...idempotencyKey(key),
      type: 'idempotency',
      ...record,
      ...(Uuid.safeParse(key.projectId).success
        ? sealEach(key.projectId, record, ['request_hash', 'answer'])
        : {}),
      created_at: now.toISOString(),
      ...expiresIn(lifetimeSeconds, now.getTime()),
    },
    when(reservedFor === null ? isFree : `${isFree} OR batch_id = :batch_id`, {
      now: Math.floor(now.getTime() / 1000),
      ...(reservedFor === null ? {} : { batch_id: reservedFor }),
    }),
  );
  return refusedAs(item, () => new IdempotencyKeyTaken());
}

/** The records of these keys, duplicates allowed, by hash; strongly consistent. */
export async function getIdempotencyRecords(
  table: Table,
  keys: readonly IdempotencyKey[],
  now: Date,
): Promise<Map<string, IdempotencyRecord>> {
  const byKey = new Map(keys.map((key) => [idempotencyKey(key).pk, key]));
  const items = await batchGet(table, [...byKey.values()].map(idempotencyKey), {
    attributes: ['pk', ...Object.keys(IdempotencyRecord.shape)],
    consistently: true,
  });
  return new Map(
    items.flatMap((item) => {
      const key = byKey.get(String(item.pk));
      const record = IdempotencyRecord.parse(item);
      return key === undefined || isExpired(record, now.getTime()) ? [] : [[key.keyHash, record] as const];
    }),
  );
}

/** Strongly consistent, so that a request refused by a record finds it. */
export async function getIdempotencyRecord(
  table: Table,
  key: IdempotencyKey,
  now: Date,
): Promise<IdempotencyRecord | null> {
  const record = await getItem(table, idempotencyKey(key), IdempotencyRecord.parse);
  return record === null || isExpired(record, now.getTime()) ? null : record;
}

/** Another request has used the idempotency key, so nothing was written. */
export class IdempotencyKeyTaken extends Error {
  constructor() {
    super('the idempotency key was used by another request');
    this.name = 'IdempotencyKeyTaken';
  }
}
