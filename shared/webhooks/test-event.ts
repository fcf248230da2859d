import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { WebhookDelivery, WebhookEndpoint } from '#shared/domain/webhook.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import { newDeliveryItem, webhookDeliveryKey } from '#shared/table/webhook-delivery.ts';
import { enqueueDelivery } from './delivery-queue.ts';
import { newDelivery } from './new-delivery.ts';
import { type ReplayServices, refuseDisabled } from './replay.ts';

/**
 * Sends an endpoint a test webhook, whichever events it selects, so that its owner sees that webhooks arrive and
 * verify. It names a nonexistent task. Throws `conflict` when the endpoint is disabled.
 *
 * @param alongside other writes of the transaction
 */
export async function sendTestEvent(
  { table, queue }: ReplayServices,
  endpoint: WebhookEndpoint,
  now: Date,
  alongside: (delivery: WebhookDelivery) => readonly TransactionItem[] = () => [],
): Promise<WebhookDelivery> {
  refuseDisabled(endpoint);
  const delivery = newDelivery(
    endpoint,
    {
      payload: {
        event: 'webhook.test',
        task_id: uuidv7(now.getTime()),
        call_id: null,
        timestamp: now.toISOString(),
      },
      sequence: 0,
    },
    now,
  );
  await writeTransaction(table, [newDeliveryItem(table, delivery), ...alongside(delivery)]);
  await enqueueDelivery(queue, webhookDeliveryKey(delivery));
  return delivery;
}
