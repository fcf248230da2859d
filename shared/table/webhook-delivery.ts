import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { RecordedAttempt, WebhookDelivery, type WebhookDeliveryStatus } from '#shared/domain/webhook.ts';
import type { Table } from './client.ts';
import { conditionHeld } from './condition-held.ts';
import { deleteItem, deletePartition } from './delete-items.ts';
import { getItem } from './get-item.ts';
import { dueIndexAttributes } from './indexes.ts';
import type { Page, PageRequest } from './newest-first.ts';
import { PrimaryKey } from './primary-key.ts';
import { prefixQuery, queryPages } from './query-pages.ts';
import { ExpiresAtSeconds, expiresIn, isExpired } from './time-to-live.ts';
import { sealEach } from './to-seal.ts';
import type { TransactionItem } from './transaction.ts';
import { itemPut } from './transaction-items.ts';
import { endpointPartition } from './webhook-slot.ts';

/** Counted from the start of the retry schedule, which ends long before. */
const keptForSeconds = 30 * 24 * 60 * 60;

const keyPrefix = 'DELIVERY#';
/** Sorts after every ID, which continues in hexadecimal digits. */
const newest = 'msg_g';

/**
 * Under its endpoint. The ID begins with the event's time and derives only from the event: so deliveries sort by
 * event, and a replay of the stream finds its delivery again.
 */
export function webhookDeliveryKey({
  webhook_id,
  id,
}: Pick<WebhookDelivery, 'webhook_id' | 'id'>): PrimaryKey {
  return { pk: endpointPartition(webhook_id), sk: `${keyPrefix}${id}` };
}

/** Writes a delivery unless it already exists, in any state. */
export async function createWebhookDelivery(table: Table, delivery: WebhookDelivery): Promise<void> {
  try {
    await table.client.send(new PutCommand(newDeliveryPut(table, delivery)));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** A delivery that does not exist yet, as part of a transaction. */
export function newDeliveryItem(table: Table, delivery: WebhookDelivery): TransactionItem {
  return { Put: newDeliveryPut(table, delivery) };
}

export async function getWebhookDelivery(
  table: Table,
  key: PrimaryKey,
  now: Date,
): Promise<WebhookDelivery | null> {
  return getItem(table, key, (item) =>
    isExpired(Expiring.parse(item), now.getTime()) ? null : toDelivery(item),
  );
}

/**
 * Replaces a delivery if its due time, which every change moves, is unchanged since `previous` was read. Returns
 * whether it was.
 */
export async function replaceWebhookDelivery(
  table: Table,
  previous: WebhookDelivery,
  next: WebhookDelivery,
): Promise<boolean> {
  return conditionHeld(table.client.send(new PutCommand(replacingPut(table, previous, next))));
}

/** As `replaceWebhookDelivery`, as part of a transaction. */
export function replaceDeliveryItem(
  table: Table,
  previous: WebhookDelivery,
  next: WebhookDelivery,
): TransactionItem {
  return { Put: replacingPut(table, previous, next) };
}

/** An immutable attempt, which expires together with its delivery. */
export function recordedAttemptItem(
  table: Table,
  delivery: WebhookDelivery,
  attempt: RecordedAttempt,
): TransactionItem {
  return itemPut(table, {
    pk: attemptPartition(delivery.id),
    sk: `ATTEMPT#${String(attempt.number).padStart(4, '0')}`,
    type: 'webhook-attempt',
    ...attempt,
    // A receiver's response may repeat what it was sent.
    ...sealEach(delivery.project_id, attempt, ['response']),
    ...expiry(delivery),
  });
}

/** As many attempts as one response shows; a repeatedly replayed delivery has more. */
const mostAttempts = 100;

/** The attempts of a delivery, the latest first. */
export async function listRecordedAttempts(
  table: Table,
  { id, first_attempt }: Pick<WebhookDelivery, 'id' | 'first_attempt'>,
  now: Date,
): Promise<RecordedAttempt[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :attempt)',
      ExpressionAttributeValues: { ':pk': attemptPartition(id), ':attempt': 'ATTEMPT#' },
      ScanIndexForward: false,
      Limit: mostAttempts,
      ConsistentRead: true,
    }),
  );
  const stored = Items.filter((item) => !isExpired(Expiring.parse(item), now.getTime())).map((item) =>
    RecordedAttempt.parse(item),
  );
  return first_attempt === null ? stored : [...stored, first_attempt].slice(0, mostAttempts);
}

/** Items read at once when a filter applies. */
const filteredAtOnce = 200;
/** The most reads per page. */
const maxReads = 5;

/**
 * Deliveries of an endpoint, newest events first. If many are filtered out, a page may be short or empty and still have
 * a successor.
 *
 * @param status null matches all
 */
export async function listWebhookDeliveries(
  table: Table,
  webhookId: string,
  { status, now }: { readonly status: WebhookDeliveryStatus | null; readonly now: Date },
  { limit, before }: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const found: WebhookDelivery[] = [];
  let unreadBelow: string | null = before ?? newest;
  for (let reads = 0; reads < maxReads && unreadBelow !== null && found.length <= limit; reads += 1) {
    const { Items = [], LastEvaluatedKey }: QueryCommandOutput = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': webhookDeliveryKey({ webhook_id: webhookId, id: '' }).pk,
          ':first': keyPrefix,
          ':last': `${keyPrefix}${unreadBelow}`,
        },
        ScanIndexForward: false,
        // One is the last delivery of the previous page, another shows whether there is more.
        Limit: status === null ? limit + 2 : filteredAtOnce,
        ConsistentRead: true,
      }),
    );
    for (const item of Items) {
      const delivery = toDelivery(item);
      const isWanted = status === null || delivery.status === status;
      if (delivery.id < unreadBelow && isWanted && !isExpired(Expiring.parse(item), now.getTime())) {
        found.push(delivery);
      }
    }
    unreadBelow = LastEvaluatedKey === undefined ? null : idOfKey(LastEvaluatedKey);
  }
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : unreadBelow };
}

/** Where a scan of an endpoint's deliveries continues. */
export interface DeliveryWalk {
  readonly deliveries: WebhookDelivery[];
  /** The ID that the next page follows; null at the end. */
  readonly next: string | null;
}

/**
 * A bounded number of an endpoint's deliveries, oldest events first.
 *
 * @param after an ID, or a prefix of IDs from some time on
 */
export async function walkWebhookDeliveries(
  table: Table,
  webhookId: string,
  after: string,
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<DeliveryWalk> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': webhookDeliveryKey({ webhook_id: webhookId, id: '' }).pk,
        ':first': `${keyPrefix}${after}`,
        ':last': `${keyPrefix}${newest}`,
      },
      Limit: limit,
      ConsistentRead: true,
    }),
  );
  return {
    deliveries: Items.filter((item) => !isExpired(Expiring.parse(item), now.getTime()))
      .map(toDelivery)
      .filter(({ id }) => id !== after),
    next: LastEvaluatedKey === undefined ? null : idOfKey(LastEvaluatedKey),
  };
}

/** Deletes a delivery and the receivers' responses to its attempts. */
export async function deleteWebhookDelivery(
  table: Table,
  delivery: Pick<WebhookDelivery, 'webhook_id' | 'id'>,
): Promise<void> {
  await deletePartition(table, attemptPartition(delivery.id));
  await deleteItem(table, webhookDeliveryKey(delivery));
}

/** Deletes all deliveries of an endpoint in the same way, and its slots. */
export async function deleteEndpointDeliveries(table: Table, webhookId: string): Promise<void> {
  const deliveries = queryPages(table, {
    ...prefixQuery(endpointPartition(webhookId), keyPrefix),
    ProjectionExpression: 'pk, sk',
  });
  for await (const page of deliveries) {
    for (const key of page) await deletePartition(table, attemptPartition(idOfKey(key)));
  }
  await deletePartition(table, endpointPartition(webhookId));
}

const Expiring = z.object({ expires_at_seconds: ExpiresAtSeconds });

function idOfKey(key: Record<string, unknown>): string {
  return PrimaryKey.parse(key).sk.slice(keyPrefix.length);
}

function attemptPartition(deliveryId: string): string {
  return `${keyPrefix}${deliveryId}`;
}

function newDeliveryPut(table: Table, delivery: WebhookDelivery) {
  return {
    TableName: table.name,
    Item: deliveryItem(delivery),
    ConditionExpression: 'attribute_not_exists(pk)',
  };
}

function replacingPut(table: Table, previous: WebhookDelivery, next: WebhookDelivery) {
  const put = { TableName: table.name, Item: deliveryItem(next) };
  // An item that is not due has no such attribute, and a deleted item must not reappear.
  const { due_at, swept_at } = previous;
  if (due_at === null) {
    return { ...put, ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(due_at)' };
  }
  return swept_at === null
    ? {
        ...put,
        ConditionExpression: 'due_at = :due_at AND attribute_not_exists(attempt_at)',
        ExpressionAttributeValues: { ':due_at': due_at },
      }
    : {
        ...put,
        ConditionExpression: 'attempt_at = :due_at',
        ExpressionAttributeValues: { ':due_at': due_at },
      };
}

function toDelivery({ attempt_at, ...item }: Record<string, unknown>): WebhookDelivery {
  return WebhookDelivery.parse(
    attempt_at === undefined
      ? { due_at: null, ...item }
      : { ...item, due_at: attempt_at, swept_at: item.due_at },
  );
}

function deliveryItem({ swept_at, first_attempt, ...delivery }: WebhookDelivery): Record<string, unknown> {
  return {
    ...webhookDeliveryKey(delivery),
    type: 'webhook-delivery',
    ...delivery,
    // A receiver's response may repeat what it was sent.
    ...(first_attempt === null ? {} : sealEach(delivery.project_id, { first_attempt }, ['first_attempt'])),
    // Last, because index keys are strings or absent, never null.
    due_at: undefined,
    ...dueIndexAttributes(delivery.id, swept_at ?? delivery.due_at),
    ...(swept_at === null ? {} : { attempt_at: delivery.due_at }),
    ...expiry(delivery),
  };
}

function expiry({ schedule_started_at }: Pick<WebhookDelivery, 'schedule_started_at'>): {
  expires_at_seconds: number;
} {
  return expiresIn(keptForSeconds, Date.parse(schedule_started_at));
}
