import type { WebhookDelivery, WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { Table } from '#shared/table/client.ts';
import { createWebhookDelivery, webhookDeliveryKey } from '#shared/table/webhook-delivery.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { type ProjectEvent, webhookMessageId } from './completed-event.ts';
import { type DeliveryQueue, enqueueDelivery } from './delivery-queue.ts';

/**
 * Makes one delivery for each endpoint of the project that wants the event, and enqueues it. Nothing is sent from
 * here, so a slow endpoint never holds up the stream; done twice, it makes the same deliveries.
 */
export async function fanOut(
  table: Table,
  queue: DeliveryQueue,
  event: ProjectEvent,
  now: Date,
): Promise<void> {
  const endpoints = await listWebhookEndpoints(table, event.projectId);
  for (const endpoint of endpoints) {
    if (!endpoint.enabled || !endpoint.events.includes(event.payload.event)) continue;
    const delivery = newDelivery(event, endpoint, now);
    await createWebhookDelivery(table, delivery);
    await enqueueDelivery(queue, webhookDeliveryKey(delivery));
  }
}

function newDelivery(
  { projectId, payload }: ProjectEvent,
  endpoint: WebhookEndpoint,
  now: Date,
): WebhookDelivery {
  return {
    id: webhookMessageId(payload, endpoint.id),
    webhook_id: endpoint.id,
    project_id: projectId,
    payload,
    status: 'pending',
    attempts: [],
    due_at: now.toISOString(),
    created_at: now.toISOString(),
  };
}
