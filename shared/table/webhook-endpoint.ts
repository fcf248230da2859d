import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { Table } from './client.ts';
import type { TransactionItem } from './transaction.ts';

function webhookEndpointKey(projectId: string, webhookId: string): { pk: string; sk: string } {
  return { pk: `PROJECT#${projectId}`, sk: `WEBHOOK#${webhookId}` };
}

export function putWebhookEndpointItem(table: Table, endpoint: WebhookEndpoint): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...webhookEndpointKey(endpoint.project_id, endpoint.id),
        type: 'webhook-endpoint',
        ...endpoint,
      },
    },
  };
}

export async function getWebhookEndpoint(
  table: Table,
  projectId: string,
  webhookId: string,
): Promise<WebhookEndpoint | null> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: webhookEndpointKey(projectId, webhookId) }),
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
