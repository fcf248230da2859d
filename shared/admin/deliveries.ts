import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import { GivenTime, Timestamp } from '#shared/domain/values.ts';
import {
  RecordedAttempt,
  WebhookAttempt,
  type WebhookDelivery,
  WebhookDeliveryStatus,
  type WebhookEndpoint,
  WebhookEvent,
} from '#shared/domain/webhook.ts';
import { decodeListCursor, encodeListCursor, type ListIdentity } from '#shared/lists/list-cursor.ts';
import type { ListPosition } from '#shared/lists/list-page.ts';
import type { OpenBudget } from '#shared/lists/response-budget.ts';
import type { Table } from '#shared/table/client.ts';
import {
  getWebhookDelivery,
  listRecordedAttempts,
  listWebhookDeliveries,
  webhookDeliveryKey,
} from '#shared/table/webhook-delivery.ts';
import { type ReplayServices, replayDelivery, replayFailed } from '#shared/webhooks/replay.ts';
import { sendTestEvent } from '#shared/webhooks/test-event.ts';
import { auditAction, auditItem } from './audit.ts';
import { authorizeEndpoint, type EndpointAddress } from './authorize-endpoint.ts';

export const DeliveryResource = z.object({
  /** The `webhook-id` header of each attempt. */
  id: z.string(),
  webhook_id: Uuid,
  status: WebhookDeliveryStatus,
  payload: WebhookEvent,
  /** Its sequence number among the task's events; null when it has none. */
  sequence: z.nullable(z.int()),
  attempt_count: z.int(),
  last_attempt: z.nullable(WebhookAttempt),
  /** Null when no further attempt is scheduled. */
  next_attempt_at: z.nullable(Timestamp),
  created_at: Timestamp,
});
export type DeliveryResource = z.infer<typeof DeliveryResource>;

export const DeliveryList = z.object({
  deliveries: z.array(DeliveryResource),
  next_cursor: z.nullable(z.string()),
});
export type DeliveryList = z.infer<typeof DeliveryList>;

/** A delivery with its attempts, latest first. */
export const DeliveryDetails = z.object({
  ...DeliveryResource.shape,
  attempts: z.array(RecordedAttempt),
});
export type DeliveryDetails = z.infer<typeof DeliveryDetails>;

/** The body of a request to replay all deliveries that an endpoint did not accept. */
export const ReplayRequest = z.object({
  /** Time of the first event to replay. */
  since: GivenTime,
  /** Continuation cursor from the previous response. */
  cursor: z.optional(z.string()),
});
export type ReplayRequest = z.infer<typeof ReplayRequest>;

export const ReplayResult = z.object({
  replayed: z.int(),
  /** Null at the end; otherwise repeat the request with it. */
  next_cursor: z.nullable(z.string()),
});
export type ReplayResult = z.infer<typeof ReplayResult>;

/** Filter of an endpoint's deliveries. */
export interface DeliveryListRequest {
  /** Null for all. */
  readonly status: WebhookDeliveryStatus | null;
  readonly position: ListPosition;
}

/** Sent and pending deliveries of an endpoint, newest events first. */
export async function readDeliveries(
  table: Table,
  caller: AdminCaller,
  address: EndpointAddress,
  { status, position }: DeliveryListRequest,
  now: Date = new Date(),
): Promise<DeliveryList> {
  const { endpoint } = await authorizeEndpoint(table, caller, address, 'webhooks.read');
  const list = ['webhook-deliveries', endpoint.id, status];
  const before = position.cursor === null ? null : decodeCursor(list, position.cursor);
  const page = await listWebhookDeliveries(
    table,
    endpoint.id,
    { status, now },
    { limit: position.limit, before },
  );
  const nextCursor = page.next === null ? null : encodeCursor(list, page.next);
  return { deliveries: page.items.map(toResource), next_cursor: nextCursor };
}

/** Path parameters of a delivery. */
export interface DeliveryAddress extends EndpointAddress {
  readonly deliveryId: string;
}

/** A delivery and as many attempts as fit into a response. */
export async function readDelivery(
  { table, openBudget }: { readonly table: Table; readonly openBudget: OpenBudget },
  caller: AdminCaller,
  { deliveryId, ...address }: DeliveryAddress,
  now: Date = new Date(),
): Promise<DeliveryDetails> {
  const { endpoint } = await authorizeEndpoint(table, caller, address, 'webhooks.read');
  const found = await findDelivery(table, endpoint, deliveryId, now);
  const delivery = toResource(found);
  const attempts = await listRecordedAttempts(table, found, now);
  const budget = openBudget(delivery);
  const tooMany = attempts.findIndex((attempt) => !budget.take(attempt));
  return { ...delivery, attempts: tooMany === -1 ? attempts : attempts.slice(0, tooMany) };
}

/** Resends a delivery under the same `webhook-id`. Throws `conflict` when that is impossible now. */
export async function replayOne(
  services: ReplayServices,
  caller: AdminCaller,
  { deliveryId, ...address }: DeliveryAddress,
  now: Date = new Date(),
): Promise<DeliveryResource> {
  const { table } = services;
  const { access, endpoint } = await authorizeEndpoint(table, caller, address, 'webhooks.change');
  const delivery = await findDelivery(table, endpoint, deliveryId, now);
  const entry = auditItem(
    table,
    access,
    {
      action: 'webhook.replayed',
      target: { type: 'webhook-delivery', id: deliveryId },
      before: { status: delivery.status },
      after: { status: 'pending' },
    },
    now,
  );
  return toResource(await replayDelivery(services, endpoint, delivery, { now, alongside: [entry] }));
}

/**
 * Resends a bounded number of the deliveries since a time that an endpoint did not accept, with a cursor to continue.
 */
export async function replaySince(
  services: ReplayServices,
  caller: AdminCaller,
  address: EndpointAddress,
  { since, cursor }: ReplayRequest,
  now: Date = new Date(),
): Promise<ReplayResult> {
  const { access, endpoint } = await authorizeEndpoint(services.table, caller, address, 'webhooks.change');
  const from = new Date(since);
  const list = ['webhook-replay', endpoint.id, from.toISOString()];
  const position = cursor === undefined ? from : decodeCursor(list, cursor);
  // Audited before the first is sent, in case the request breaks off.
  await auditAction(
    services.table,
    access,
    {
      action: 'webhook.replayed',
      target: { type: 'webhook', id: endpoint.id },
      after: { failed_since: from.toISOString() },
    },
    now,
  );
  const { replayed, next } = await replayFailed(services, endpoint, position, now);
  return { replayed, next_cursor: next === null ? null : encodeCursor(list, next) };
}

/** Sends an endpoint a test webhook. Throws `conflict` when the endpoint is disabled. */
export async function testEndpoint(
  services: ReplayServices,
  caller: AdminCaller,
  address: EndpointAddress,
  now: Date = new Date(),
): Promise<DeliveryResource> {
  const { table } = services;
  const { access, endpoint } = await authorizeEndpoint(table, caller, address, 'webhooks.change');
  const delivery = await sendTestEvent(services, endpoint, now, ({ id }) => [
    auditItem(
      table,
      access,
      { action: 'webhook.tested', target: { type: 'webhook', id: endpoint.id }, after: { delivery_id: id } },
      now,
    ),
  ]);
  return toResource(delivery);
}

async function findDelivery(
  table: Table,
  { id }: WebhookEndpoint,
  deliveryId: string,
  now: Date,
): Promise<WebhookDelivery> {
  const key = webhookDeliveryKey({ webhook_id: id, id: deliveryId });
  const delivery = await getWebhookDelivery(table, key, now);
  if (delivery === null) throw new ServiceError('not_found', 'Delivery not found');
  return delivery;
}

function toResource(delivery: WebhookDelivery): DeliveryResource {
  const { id, webhook_id, status, payload, sequence, attempt_count, last_attempt, due_at, created_at } =
    delivery;
  return {
    id,
    webhook_id,
    status,
    payload,
    sequence,
    attempt_count,
    last_attempt,
    next_attempt_at: due_at,
    created_at,
  };
}

/** Delivery IDs have as many digits as a UUID. */
function encodeCursor(list: ListIdentity, deliveryId: string): string {
  return encodeListCursor(list, deliveryId.replace(/^msg_/, ''));
}

function decodeCursor(list: ListIdentity, cursor: string): string {
  return `msg_${decodeListCursor(list, cursor).replaceAll('-', '')}`;
}
