import type { Table } from '#shared/table/client.ts';
import { deleteWebhookDelivery } from '#shared/table/webhook-delivery.ts';
import { webhookIdsWithDeliveries } from '#shared/table/webhook-endpoint.ts';
import { type ProjectEvent, webhookMessageId } from '#shared/webhooks/events.ts';

/** Erases the deliveries to the project's endpoints, also removed ones, with the responses, which may hold anything. */
export async function eraseDeliveries(
  table: Table,
  projectId: string,
  events: readonly ProjectEvent[],
): Promise<void> {
  for (const webhookId of await webhookIdsWithDeliveries(table, projectId)) {
    for (const { payload } of events) {
      const id = webhookMessageId(payload, webhookId);
      await deleteWebhookDelivery(table, { webhook_id: webhookId, id });
    }
  }
}
