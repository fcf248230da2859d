import type { Table } from '#shared/table/client.ts';
import { deleteWebhookDelivery } from '#shared/table/webhook-delivery.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { type ProjectEvent, webhookMessageId } from '#shared/webhooks/events.ts';

/** Erases the deliveries to the project's endpoints, including the responses, which may contain anything. */
export async function eraseDeliveries(
  table: Table,
  projectId: string,
  events: readonly ProjectEvent[],
): Promise<void> {
  for (const { id: webhookId } of await listWebhookEndpoints(table, projectId)) {
    for (const { payload } of events) {
      const id = webhookMessageId(payload, webhookId);
      await deleteWebhookDelivery(table, { webhook_id: webhookId, id });
    }
  }
}
