import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { Table } from './client.ts';
import type { TransactionItem } from './transaction.ts';

function webhookEndpointKey(projectId: string, webhookId: string): { pk: string; sk: string } {
  return { pk: `PROJECT#${projectId}`, sk: `WEBHOOK#${webhookId}` };
}

export function createWebhookEndpointItem(table: Table, endpoint: WebhookEndpoint): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: endpointItem(endpoint),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Replaces an endpoint on the condition that it still is as it was read; `next` has another `updated_at`. */
export function replaceWebhookEndpointItem(
  table: Table,
  previous: WebhookEndpoint,
  next: WebhookEndpoint,
): TransactionItem {
  return { Put: { TableName: table.name, Item: endpointItem(next), ...unchangedSince(previous) } };
}

/** Deletes an endpoint on the condition that it still is as it was read. */
export function deleteWebhookEndpointItem(table: Table, endpoint: WebhookEndpoint): TransactionItem {
  return {
    Delete: {
      TableName: table.name,
      Key: webhookEndpointKey(endpoint.project_id, endpoint.id),
      ...unchangedSince(endpoint),
    },
  };
}

function unchangedSince({ updated_at }: WebhookEndpoint) {
  return {
    ConditionExpression: 'updated_at = :previous',
    ExpressionAttributeValues: { ':previous': updated_at },
  };
}

function endpointItem(endpoint: WebhookEndpoint): Record<string, unknown> {
  return { ...webhookEndpointKey(endpoint.project_id, endpoint.id), type: 'webhook-endpoint', ...endpoint };
}

/** Read consistently: what was rotated or disabled a moment ago is so at once. */
export async function getWebhookEndpoint(
  table: Table,
  projectId: string,
  webhookId: string,
): Promise<WebhookEndpoint | null> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: webhookEndpointKey(projectId, webhookId),
      ConsistentRead: true,
    }),
  );
  return Item === undefined ? null : WebhookEndpoint.parse(Item);
}

export async function listWebhookEndpoints(table: Table, projectId: string): Promise<WebhookEndpoint[]> {
  const endpoints: WebhookEndpoint[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :webhook)',
        ExpressionAttributeValues: { ':pk': `PROJECT#${projectId}`, ':webhook': 'WEBHOOK#' },
        ...(startKey === undefined ? {} : { ExclusiveStartKey: startKey }),
      }),
    );
    endpoints.push(...Items.map((item) => WebhookEndpoint.parse(item)));
    startKey = LastEvaluatedKey;
  } while (startKey !== undefined);
  return endpoints;
}
