import { versionAfter } from '#shared/domain/version-after.ts';
import type { WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { Table } from '#shared/table/client.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import { getWebhookEndpoint, replaceWebhookEndpointItem } from '#shared/table/webhook-endpoint.ts';

/** A change of an endpoint, and what else is written with it, all or nothing. */
export interface EndpointChange {
  readonly settings: Partial<Omit<WebhookEndpoint, 'id' | 'project_id' | 'created_at' | 'updated_at'>>;
  readonly items?: readonly TransactionItem[];
}

/**
 * Changes the current endpoint: its owner, a rotation and the delivery worker may do so concurrently without undoing
 * each other's changes. Calls `decide` again after a conflict.
 *
 * @param decide returns null for no change
 * @returns the changed endpoint, or null when it does not exist
 */
export function changeEndpoint(
  table: Table,
  { projectId, webhookId }: { projectId: string; webhookId: string },
  decide: (endpoint: WebhookEndpoint) => EndpointChange | null,
  now: Date,
): Promise<WebhookEndpoint | null> {
  return retryOnConflict(
    async () => {
      const endpoint = await getWebhookEndpoint(table, projectId, webhookId);
      if (endpoint === null) return null;
      const change = decide(endpoint);
      if (change === null) return endpoint;
      const updated_at = versionAfter(endpoint, now).toISOString();
      const next = { ...endpoint, ...change.settings, updated_at };
      await writeTransaction(table, [
        replaceWebhookEndpointItem(table, endpoint, next),
        ...(change.items ?? []),
      ]);
      return next;
    },
    { tries: 8 },
  );
}
