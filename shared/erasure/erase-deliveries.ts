import type { WebhookEvent } from '#shared/domain/webhook.ts';
import type { Table } from '#shared/table/client.ts';
import { deleteWebhookDelivery } from '#shared/table/webhook-delivery.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { webhookMessageId } from '#shared/webhooks/completed-event.ts';

/** Erases the deliveries of an event to the project's endpoints, with what these answered, which may be anything. */
export async function eraseDeliveries(table: Table, projectId: string, payload: WebhookEvent): Promise<void> {
  for (const { id: webhookId } of await listWebhookEndpoints(table, projectId)) {
    await deleteWebhookDelivery(table, { webhook_id: webhookId, id: webhookMessageId(payload, webhookId) });
  }
}
