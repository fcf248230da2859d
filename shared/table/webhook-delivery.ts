import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { WebhookDelivery } from '#shared/domain/webhook.ts';
import type { Table } from './client.ts';
import { dueIndexAttributes } from './indexes.ts';
import { expiresIn } from './time-to-live.ts';

const keptForSeconds = 30 * 24 * 60 * 60;

export interface DeliveryKey {
  readonly pk: string;
  readonly sk: string;
}

/** Under its endpoint, in the order of the events; made of the event alone, so a replay of the stream meets it again. */
export function webhookDeliveryKey(delivery: WebhookDelivery): DeliveryKey {
  return {
    pk: `WEBHOOK#${delivery.webhook_id}`,
    sk: `DELIVERY#${delivery.payload.timestamp}#${delivery.id}`,
  };
}

/** Writes a delivery unless it exists already, whatever became of it since. */
export async function createWebhookDelivery(table: Table, delivery: WebhookDelivery): Promise<void> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: deliveryItem(delivery),
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

export async function getWebhookDelivery(table: Table, key: DeliveryKey): Promise<WebhookDelivery | null> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
  );
  return Item === undefined ? null : WebhookDelivery.parse({ due_at: null, ...Item });
}

/**
 * Replaces a delivery if it is still due when `previous` was read to be due, which every change moves. Returns whether
 * it was.
 */
export async function replaceWebhookDelivery(
  table: Table,
  previous: WebhookDelivery,
  next: WebhookDelivery,
): Promise<boolean> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: deliveryItem(next),
        ConditionExpression: 'due_at = :due_at',
        ExpressionAttributeValues: { ':due_at': previous.due_at },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

function deliveryItem(delivery: WebhookDelivery): Record<string, unknown> {
  return {
    ...webhookDeliveryKey(delivery),
    type: 'webhook-delivery',
    ...delivery,
    // Last, because the key of an index is a string or absent, never null.
    due_at: undefined,
    ...dueIndexAttributes(delivery.id, delivery.due_at),
    ...expiresIn(keptForSeconds, Date.parse(delivery.created_at)),
  };
}
