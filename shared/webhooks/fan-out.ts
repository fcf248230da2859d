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
 * Creates and enqueues one delivery per event of an item and subscribed endpoint of the project. Nothing is
 * sent from here, so a slow endpoint never holds up the stream; done twice, it makes the same deliveries. An
 * endpoint that is switched off gets a delivery that has failed already, so that it can be replayed once it
 * is switched on again.
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
  for (const event of events) {
    for (const endpoint of endpoints) {
      if (!endpoint.events.some((name) => name === event.payload.event)) continue;
      const delivery = newDelivery(endpoint, event, now);
      await createWebhookDelivery(table, endpoint.enabled ? delivery : undeliverable(delivery));
      if (endpoint.enabled) await enqueueDelivery(queue, webhookDeliveryKey(delivery));
    }
  }
}
