import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '#shared/domain/webhook.ts';
import { log } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { getWebhookDelivery, replaceWebhookDelivery } from '#shared/table/webhook-delivery.ts';
import { getWebhookEndpoint, putWebhookEndpointItem } from '#shared/table/webhook-endpoint.ts';
import {
  type DeliveryMessage,
  type DeliveryQueue,
  enqueueDelivery,
  maxQueueDelaySeconds,
} from './delivery-queue.ts';
import { retryDelaySeconds } from './retry-schedule.ts';
import { isAccepted, sendWebhook } from './send.ts';

/** How long a worker may take over an attempt before the sweeper gives it to another: its timeout and some more. */
const leaseSeconds = 60;
/** How much ahead of ours the clock of the machine may be that set a due time. */
const clockSkewMs = 2_000;

/**
 * Makes the attempt that is due, if one is. Taking it moves the due time, on the condition that nobody else moved it:
 * so two messages for one delivery make one attempt, and an attempt whose worker died becomes due again.
 */
export async function deliver(table: Table, queue: DeliveryQueue, message: DeliveryMessage): Promise<void> {
  const delivery = await getWebhookDelivery(table, message);
  if (delivery === null || !isDue(delivery)) return;
  const taken = { ...delivery, due_at: secondsFromNow(leaseSeconds) };
  if (!(await replaceWebhookDelivery(table, delivery, taken))) return;

  const endpoint = await getWebhookEndpoint(table, delivery.project_id, delivery.webhook_id);
  if (endpoint === null || !endpoint.enabled) {
    await replaceWebhookDelivery(table, taken, { ...taken, status: 'failed', due_at: null });
    return;
  }
  const attempt = await sendWebhook(endpoint, delivery);
  const { next, delaySeconds } = afterAttempt(taken, attempt);
  log('webhook-attempt', {
    webhook_message_id: delivery.id,
    webhook_id: endpoint.id,
    attempt: next.attempts.length,
    status_code: attempt.status_code,
    error: attempt.error,
    duration_ms: attempt.duration_ms,
    outcome: next.status,
  });
  await replaceWebhookDelivery(table, taken, next);
  if (attempt.status_code === 410) await disable(table, endpoint);
  if (delaySeconds !== null && delaySeconds <= maxQueueDelaySeconds) {
    // Longer waits are left to the sweeper; for short ones its minute would be coarse.
    await enqueueDelivery(queue, message, Math.ceil(delaySeconds));
  }
}

function isDue({ due_at }: WebhookDelivery): boolean {
  return due_at !== null && Date.parse(due_at) <= Date.now() + clockSkewMs;
}

/** What becomes of a delivery by an attempt, and in how many seconds the next one is due, if there is one. */
function afterAttempt(
  delivery: WebhookDelivery,
  attempt: WebhookAttempt,
): { next: WebhookDelivery; delaySeconds: number | null } {
  const attempts = [...delivery.attempts, attempt];
  if (isAccepted(attempt)) {
    return { next: { ...delivery, attempts, status: 'delivered', due_at: null }, delaySeconds: null };
  }
  // 410 Gone is how a receiver says that it wants no more.
  const delaySeconds = attempt.status_code === 410 ? null : retryDelaySeconds(attempts.length);
  return delaySeconds === null
    ? { next: { ...delivery, attempts, status: 'failed', due_at: null }, delaySeconds }
    : { next: { ...delivery, attempts, due_at: secondsFromNow(delaySeconds) }, delaySeconds };
}

async function disable(table: Table, endpoint: WebhookEndpoint): Promise<void> {
  await writeTransaction(table, [
    putWebhookEndpointItem(table, { ...endpoint, enabled: false, disabled_reason: 'gone' }),
  ]);
}

function secondsFromNow(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
