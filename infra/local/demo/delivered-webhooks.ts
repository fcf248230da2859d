import { setTimeout as sleep } from 'node:timers/promises';
import { defaultEvents } from '../../../shared/domain/webhook.ts';
import type { Table } from '../../../shared/table/client.ts';
import { listWebhookDeliveries } from '../../../shared/table/webhook-delivery.ts';
import { listWebhookEndpoints } from '../../../shared/table/webhook-endpoint.ts';

const pollMs = 500;
/** More than the deliveries of the demo's tasks to one endpoint. */
const newestDeliveries = 100;

/**
 * Waits until each endpoint of the project has accepted the end of every task and its call.
 *
 * @returns what is missing after `limitMs`, one sentence each
 */
export async function findUndelivered(
  table: Table,
  { projectId, taskIds, limitMs }: { projectId: string; taskIds: readonly string[]; limitMs: number },
): Promise<string[]> {
  const endpoints = (await listWebhookEndpoints(table, projectId)).filter(({ enabled }) => enabled);
  if (endpoints.length === 0) return ['the project has no webhook endpoint'];
  const wanted = endpoints.flatMap(({ id, events }) =>
    defaultEvents
      .filter((event) => events.includes(event))
      .flatMap((event) => taskIds.map((taskId) => `webhook ${event} of task ${taskId} to ${id}`)),
  );
  for (const deadline = Date.now() + limitMs; ; await sleep(pollMs)) {
    const delivered = new Set<string>();
    for (const { id } of endpoints) {
      const filter = { status: 'delivered', now: new Date() } as const;
      const { items } = await listWebhookDeliveries(table, id, filter, {
        limit: newestDeliveries,
        before: null,
      });
      for (const { payload } of items) {
        delivered.add(`webhook ${payload.event} of task ${payload.task_id} to ${id}`);
      }
    }
    const missing = wanted.filter((one) => !delivered.has(one));
    if (missing.length === 0 || Date.now() > deadline) {
      return missing.map((one) => `${one} was not delivered`);
    }
  }
}
