import type { WebhookEndpoint } from '#shared/domain/webhook.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { followTrace } from '#shared/observability/trace.ts';
import type { Table } from '#shared/table/client.ts';
import { createWebhookDelivery, webhookDeliveryKey } from '#shared/table/webhook-delivery.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { undeliverable } from './after-attempt.ts';
import { type DeliveryQueue, enqueueDelivery } from './delivery-queue.ts';
import type { ProjectEvent } from './events.ts';
import { newDelivery } from './new-delivery.ts';

/** Attributes what follows to the changed item's task. */
export function followTask({ type, id, task_id, trace_id }: Record<string, unknown>): void {
  if (type !== 'task' && type !== 'call') return;
  annotateLog({ task_id: String(type === 'task' ? id : task_id) });
  followTrace({ trace_id: typeof trace_id === 'string' ? trace_id : null });
}

/**
 * Creates and enqueues one delivery per event of an item and subscribed endpoint of the project. Sends nothing itself,
 * so a slow endpoint never holds up the stream; idempotent. A disabled endpoint gets a failed delivery, which can be
 * replayed once it is enabled.
 */
export async function fanOut(
  table: Table,
  queue: DeliveryQueue,
  events: readonly ProjectEvent[],
  now: Date,
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const endpoints = await listWebhookEndpoints(table, first.projectId);
  for (const event of events) await createDeliveries(table, queue, { event, endpoints, now });
}

/** Creates and enqueues one event's deliveries, like `fanOut`, to those of the endpoints that select it. */
export async function createDeliveries(
  table: Table,
  queue: DeliveryQueue,
  { event, endpoints, now }: { event: ProjectEvent; endpoints: readonly WebhookEndpoint[]; now: Date },
): Promise<void> {
  for (const endpoint of endpoints) {
    if (!selects(endpoint, event)) continue;
    const delivery = newDelivery(endpoint, event, now);
    await createWebhookDelivery(table, endpoint.enabled ? delivery : undeliverable(delivery));
    if (endpoint.enabled) await enqueueDelivery(queue, webhookDeliveryKey(delivery));
  }
}

export function selects({ events }: WebhookEndpoint, { payload }: ProjectEvent): boolean {
  return events.some((name) => name === payload.event);
}
