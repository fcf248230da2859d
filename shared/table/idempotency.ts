import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Timestamp } from '#shared/domain/values.ts';
import { batchGet } from './batch-get.ts';
import type { Table } from './client.ts';
import { ExpiresAtSeconds, expiresIn, isExpired } from './time-to-live.ts';
import { refusedAs, type TransactionItem } from './transaction.ts';

/** What became of the first request with an idempotency key. */
export const IdempotencyRecord = z.object({
  /** SHA-256 of what was asked for. */
  request_hash: z.string(),
  /** The body of the answer, as JSON. */
  answer: z.string(),
  created_at: Timestamp,
  expires_at_seconds: ExpiresAtSeconds,
});
export type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;

/** A key of a client: it means something within its project only, or to one person where there is no project yet. */
export interface IdempotencyKey {
  /** The project, or whatever else stands for who may use the key. */
  readonly projectId: string;
  /** SHA-256 of the key itself, which may be as long as a client likes and need not be kept. */
  readonly keyHash: string;
}

/** How long the key of a request means it. */
const requestLifetimeSeconds = 24 * 60 * 60;

function idempotencyKey({ projectId, keyHash }: IdempotencyKey): { pk: string; sk: string } {
  return { pk: `IDEMPOTENCY#${projectId}#${keyHash}`, sk: 'IDEMPOTENCY' };
}

/**
 * Holds when the key was not used in its lifetime, 24 h as a rule, whether or not an expired record has been deleted yet;
 * otherwise the transaction throws `IdempotencyKeyTaken`. It goes first among the items, so that it counts
 * before all else that fails.
 */
export function createIdempotencyRecordItem(
  table: Table,
  key: IdempotencyKey,
  record: Pick<IdempotencyRecord, 'request_hash' | 'answer'>,
  now: Date,
  lifetimeSeconds: number = requestLifetimeSeconds,
): TransactionItem {
  const item = {
    Put: {
      TableName: table.name,
      Item: {
        ...idempotencyKey(key),
        type: 'idempotency',
        ...record,
        created_at: now.toISOString(),
        ...expiresIn(lifetimeSeconds, now.getTime()),
      },
      ConditionExpression: 'attribute_not_exists(pk) OR expires_at_seconds <= :now',
      ExpressionAttributeValues: { ':now': Math.floor(now.getTime() / 1000) },
    },
  };
  return refusedAs(item, () => new IdempotencyKeyTaken());
}

/** Strongly consistent: a request that a record refused finds it. */
export async function getIdempotencyRecord(
  table: Table,
  key: IdempotencyKey,
  now: Date,
): Promise<IdempotencyRecord | null> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: idempotencyKey(key), ConsistentRead: true }),
  );
  if (Item === undefined) return null;
  const record = IdempotencyRecord.parse(Item);
  return isExpired(record, now.getTime()) ? null : record;
}

/** Which of many keys of one project are in use, by their hashes. Eventually consistent. */
export async function findIdempotencyKeys(
  table: Table,
  keys: readonly IdempotencyKey[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const byKey = new Map(keys.map((key) => [idempotencyKey(key).pk, key.keyHash]));
  const items = await batchGet(
    table,
    [...byKey.keys()].map((pk) => ({ pk, sk: 'IDEMPOTENCY' })),
    ['pk', 'expires_at_seconds'],
  );
  const used = items.map((item) => UsedKey.parse(item)).filter((one) => !isExpired(one, now.getTime()));
  return new Set(used.map(({ pk }) => byKey.get(pk) ?? ''));
}

const UsedKey = z.object({ pk: z.string(), expires_at_seconds: ExpiresAtSeconds });

/** Another request has used the idempotency key, so nothing was written. */
export class IdempotencyKeyTaken extends Error {
  constructor() {
    super('the idempotency key was used by another request');
    this.name = 'IdempotencyKeyTaken';
  }
}
