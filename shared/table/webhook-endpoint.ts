import * as z from 'zod/mini';
import { WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPrefix } from './query-pages.ts';
import { expiresIn } from './time-to-live.ts';
import type { TransactionItem } from './transaction.ts';
import { asRead, isNew, itemDelete, itemPut, when } from './transaction-items.ts';

function webhookEndpointKey(projectId: string, webhookId: string): PrimaryKey {
  return { pk: `PROJECT#${projectId}`, sk: `WEBHOOK#${webhookId}` };
}

export function createWebhookEndpointItem(table: Table, endpoint: WebhookEndpoint): TransactionItem {
  return itemPut(table, endpointItem(endpoint), isNew);
}

/** Marks the endpoint added last. Adding one replaces it conditionally, so that a count stays exact. */
function newestEndpointKey(projectId: string): PrimaryKey {
  return { pk: `PROJECT#${projectId}`, sk: 'NEWEST-WEBHOOK' };
}

const NewestEndpoint = z.object({ webhook_id: z.string() });

/** The endpoints of a project at one moment, and the mark by which a transaction knows that none was added since. */
export interface CountedEndpoints {
  readonly count: number;
  /** Null if none was added since the project was created. */
  readonly newestId: string | null;
}

/** Read consistently, the mark first: an endpoint added in between is counted, and moves the mark. */
export async function countWebhookEndpoints(table: Table, projectId: string): Promise<CountedEndpoints> {
  const newest = await getItem(table, newestEndpointKey(projectId), NewestEndpoint.parse);
  const endpoints = await listWebhookEndpoints(table, projectId, { consistently: true });
  return { count: endpoints.length, newestId: newest?.webhook_id ?? null };
}

/** Creates an endpoint on the condition that none was added to the project since they were counted. */
export function addWebhookEndpointItems(
  table: Table,
  endpoint: WebhookEndpoint,
  { newestId }: CountedEndpoints,
): TransactionItem[] {
  const newest = { type: 'newest-webhook', webhook_id: endpoint.id };
  return [
    createWebhookEndpointItem(table, endpoint),
    itemPut(
      table,
      { ...newestEndpointKey(endpoint.project_id), ...newest },
      newestId === null ? isNew : when('webhook_id = :counted', { counted: newestId }),
    ),
  ];
}

/** Replaces an endpoint that is unchanged since it was read; `next` has another `updated_at`. */
export function replaceWebhookEndpointItem(
  table: Table,
  previous: WebhookEndpoint,
  next: WebhookEndpoint,
): TransactionItem {
  return itemPut(table, endpointItem(next), asRead(previous));
}

const removedPrefix = 'REMOVED-WEBHOOK#';
/** A day longer than its deliveries, the last of which may still be written. */
const removedKeptForSeconds = 31 * 24 * 60 * 60;

/**
 * Deletes an endpoint that is unchanged since it was read. What remains is its ID, by which erasures find its
 * deliveries until they expire.
 */
export function removeWebhookEndpointItems(
  table: Table,
  endpoint: WebhookEndpoint,
  now: Date,
): TransactionItem[] {
  const { id, project_id } = endpoint;
  return [
    itemDelete(table, webhookEndpointKey(project_id, id), asRead(endpoint)),
    itemPut(table, {
      pk: `PROJECT#${project_id}`,
      sk: `${removedPrefix}${id}`,
      type: 'removed-webhook',
      ...expiresIn(removedKeptForSeconds, now.getTime()),
    }),
  ];
}

function endpointItem(endpoint: WebhookEndpoint): Record<string, unknown> {
  return { ...webhookEndpointKey(endpoint.project_id, endpoint.id), type: 'webhook-endpoint', ...endpoint };
}

/** Read consistently, so that rotations and disabling take effect at once. */
export async function getWebhookEndpoint(
  table: Table,
  projectId: string,
  webhookId: string,
): Promise<WebhookEndpoint | null> {
  return getItem(table, webhookEndpointKey(projectId, webhookId), WebhookEndpoint.parse);
}

/** @param consistently whether endpoints added just now must be visible, at twice the cost */
export async function listWebhookEndpoints(
  table: Table,
  projectId: string,
  { consistently }: { readonly consistently: boolean } = { consistently: false },
): Promise<WebhookEndpoint[]> {
  const items = await queryPrefix(table, `PROJECT#${projectId}`, 'WEBHOOK#', {
    ConsistentRead: consistently,
  });
  return items.map((item) => WebhookEndpoint.parse(item));
}

/** The IDs of a project's endpoints, and of those removed so recently that they may still have deliveries. */
export async function webhookIdsWithDeliveries(table: Table, projectId: string): Promise<string[]> {
  const prefixes = ['WEBHOOK#', removedPrefix];
  const found = await Promise.all(
    prefixes.map(async (prefix) => {
      const items = await queryPrefix(table, `PROJECT#${projectId}`, prefix, { ProjectionExpression: 'sk' });
      return items.map(({ sk }) => String(sk).slice(prefix.length));
    }),
  );
  return found.flat();
}
