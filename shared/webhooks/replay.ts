import { ServiceError } from '#shared/domain/errors.ts';
import type { WebhookDelivery, WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { Table } from '#shared/table/client.ts';
import { refusedAs, type TransactionItem, writeContendedTransaction } from '#shared/table/transaction.ts';
import {
  replaceDeliveryItem,
  replaceWebhookDelivery,
  walkWebhookDeliveries,
  webhookDeliveryKey,
} from '#shared/table/webhook-delivery.ts';
import { restarted } from './after-attempt.ts';
import { type DeliveryQueue, enqueueDelivery } from './delivery-queue.ts';
import { firstMessageIdAt } from './events.ts';

export interface ReplayServices {
  readonly table: Table;
  readonly queue: DeliveryQueue;
}

interface ReplayOptions {
  readonly now: Date;
  /** Other writes of the transaction. */
  readonly alongside?: readonly TransactionItem[];
}

/**
 * Sends a delivery again, in any state: under the same `webhook-id`, at once, with a fresh retry schedule. Throws
 * `conflict` during an attempt, or when the endpoint is disabled.
 */
export async function replayDelivery(
  { table, queue }: ReplayServices,
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
  { now, alongside = [] }: ReplayOptions,
): Promise<WebhookDelivery> {
  refuseDisabled(endpoint);
  if (isUnderWay(delivery, now)) throw underWay();
  const next = restarted(delivery, now);
  // Since it was read, a worker may have claimed it, or another request may have replayed it.
  const replacement = refusedAs(replaceDeliveryItem(table, delivery, next), underWay);
  await writeContendedTransaction(table, [replacement, ...alongside]);
  await enqueueDelivery(queue, webhookDeliveryKey(next));
  return next;
}

export interface ReplayedPage {
  readonly replayed: number;
  /** The ID to continue after; null at the end. */
  readonly next: string | null;
}

/** The most deliveries read, and so replayed, at once. */
const lookedAt = 200;
const replayedAtOnce = 10;

/**
 * Resends everything that an endpoint did not accept, by event time, oldest first. The work is bounded: continue with
 * `next`. Throws `conflict` when the endpoint is disabled.
 *
 * @param from the time of the first event to replay, or the ID that the page before ended with
 */
export async function replayFailed(
  { table, queue }: ReplayServices,
  endpoint: WebhookEndpoint,
  from: Date | string,
  now: Date,
): Promise<ReplayedPage> {
  refuseDisabled(endpoint);
  const after = typeof from === 'string' ? from : firstMessageIdAt(from.getTime());
  const { deliveries, next } = await walkWebhookDeliveries(table, endpoint.id, after, {
    limit: lookedAt,
    now,
  });
  const failed = deliveries.filter(({ status }) => status === 'failed');
  const replay = async (delivery: WebhookDelivery): Promise<boolean> => {
    // A concurrent replay does just as well.
    if (!(await replaceWebhookDelivery(table, delivery, restarted(delivery, now)))) return false;
    await enqueueDelivery(queue, webhookDeliveryKey(delivery));
    return true;
  };
  let replayed = 0;
  for (let start = 0; start < failed.length; start += replayedAtOnce) {
    const outcomes = await Promise.all(failed.slice(start, start + replayedAtOnce).map(replay));
    replayed += outcomes.filter((wasReplayed) => wasReplayed).length;
  }
  return { replayed, next };
}

export function refuseDisabled({ enabled }: WebhookEndpoint): void {
  if (!enabled) throw new ServiceError('conflict', 'The webhook is disabled: enable it first');
}

function isUnderWay({ taken_until }: WebhookDelivery, now: Date): boolean {
  return taken_until !== null && Date.parse(taken_until) > now.getTime();
}

function underWay(): ServiceError {
  return new ServiceError('conflict', 'The delivery is being attempted at this moment');
}
