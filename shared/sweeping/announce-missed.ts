import { dayMs, timestampAfter } from '#shared/domain/time.ts';
import type { WebhookEndpoint } from '#shared/domain/webhook.ts';
import { log, logError } from '#shared/observability/log.ts';
import { batchGet } from '#shared/table/batch-get.ts';
import type { Table } from '#shared/table/client.ts';
import {
  type AnnouncedThrough,
  type EndedItem,
  findEnded,
  getAnnouncedThrough,
  putAnnouncedThrough,
} from '#shared/table/ended.ts';
import { getItem } from '#shared/table/get-item.ts';
import type { PrimaryKey } from '#shared/table/primary-key.ts';
import { openImage } from '#shared/table/sealing-client.ts';
import { changeSearchTerms } from '#shared/table/search-term.ts';
import { taskKey } from '#shared/table/task-key.ts';
import { webhookDeliveryKey } from '#shared/table/webhook-delivery.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { recordUsage, usageKeysOf } from '#shared/usage/record-usage.ts';
import type { DeliveryQueue } from '#shared/webhooks/delivery-queue.ts';
import { eventsOf, type ProjectEvent, webhookMessageId } from '#shared/webhooks/events.ts';
import { createDeliveries, selects } from '#shared/webhooks/fan-out.ts';

/** The stream publishes within seconds; what it has missed for this long is published here. */
export const streamHasMs = 60 * 60_000;
/** Deliveries are kept for 30 days; an older event would be published again. */
const longestAgoMs = 29 * dayMs;
/** Stops well before the sweeper's timeout; the next sweep continues. */
const longestRunMs = 20_000;
const itemsAtOnce = 10;

interface Services {
  readonly table: Table;
  readonly deliveryQueue: DeliveryQueue;
}

/** One pass over ended items. */
interface Look extends Services {
  readonly now: Date;
  /** The endpoints of a project, read once. */
  readonly endpointsOf: (projectId: string) => Promise<readonly WebhookEndpoint[]>;
}

/**
 * Does what the stream's function has missed for tasks and calls that ended more than an hour ago, however long it was
 * down: creates their deliveries, records their usage, and indexes the tasks for search. Only reads what was done.
 * Remembers its position; each sweep retries failed items.
 */
export async function announceMissed(services: Services, now: Date): Promise<void> {
  const known = new Map<string, Promise<readonly WebhookEndpoint[]>>();
  const endpointsOf = (projectId: string) => {
    const endpoints = known.get(projectId) ?? listWebhookEndpoints(services.table, projectId);
    known.set(projectId, endpoints);
    return endpoints;
  };
  const look: Look = { ...services, now, endpointsOf };
  const before = await getAnnouncedThrough(services.table);
  const after: string[] = [];
  const counts = { ended: 0, missed: 0, failed: 0 };
  const stopAtMs = performance.now() + longestRunMs;
  for (const [shard, from] of before.entries()) {
    after.push(await announceShard(look, { shard, from, stopAtMs }, counts));
  }
  if (hasMoved(before, after)) await putAnnouncedThrough(services.table, after);
  if (counts.ended > 0) log('ended-items', counts);
  if (counts.failed > 0) throw new Error(`${counts.failed} ended items could not be published`);
}

/** Returns the time up to which a shard's ended items are fully published. */
async function announceShard(
  look: Look,
  { shard, from, stopAtMs }: { readonly shard: number; readonly from: string; readonly stopAtMs: number },
  counts: { ended: number; missed: number; failed: number },
): Promise<string> {
  const failedBefore = counts.failed;
  const earliest = timestampAfter(look.now, -longestAgoMs);
  const until = timestampAfter(look.now, -streamHasMs);
  let through = from;
  for await (const page of findEnded(look.table, shard, { from: from > earliest ? from : earliest, until })) {
    if (performance.now() > stopAtMs) return through;
    for (let start = 0; start < page.length; start += itemsAtOnce) {
      const group = page.slice(start, start + itemsAtOnce);
      const outcomes = await Promise.allSettled(group.map((key) => announceItem(look, key)));
      for (const outcome of outcomes) {
        counts.ended += 1;
        if (outcome.status === 'fulfilled') counts.missed += outcome.value ? 1 : 0;
        else {
          counts.failed += 1;
          logError('ended-item-not-announced', outcome.reason);
        }
      }
    }
    if (counts.failed > failedBefore) continue;
    through = page.at(-1)?.endedAt ?? through;
  }
  // Moves the mark only over found items, so that an idle service writes nothing.
  return through === from || counts.failed > failedBefore ? through : until;
}

/** Returns whether anything was missing. */
async function announceItem(look: Look, key: EndedItem): Promise<boolean> {
  const item = await read(look, key);
  // Erased since.
  if (item === null) return false;
  const isMissed = await announce(look, item);
  if (item.type !== 'call' || item.outlived_task !== true) return isMissed;
  // What the call brought has changed its task, whose own end is behind the mark.
  const task = await read(look, taskKey(String(item.task_id)));
  return (task !== null && (await announce(look, task))) || isMissed;
}

async function read({ table }: Look, key: PrimaryKey): Promise<Record<string, unknown> | null> {
  const image = await getItem({ ...table, client: table.stored }, key, (stored) => stored);
  return openImage(image, table.projectKey);
}

async function announce(
  { table, deliveryQueue, now, endpointsOf }: Look,
  item: Record<string, unknown>,
): Promise<boolean> {
  const events = eventsOf(item).filter(
    ({ payload }) => payload.timestamp >= timestampAfter(now, -longestAgoMs),
  );
  const endpoints = await endpointsOf(String(item.project_id));
  const wanted = [...usageKeysOf(item), ...deliveryKeys(endpoints, events)];
  const found = await batchGet(table, wanted, { attributes: ['pk'], consistently: false });
  if (found.length === wanted.length) return false;
  await recordUsage(table, null, item, now);
  for (const event of events) {
    await createDeliveries(table, deliveryQueue, { event, endpoints: existing(endpoints, event), now });
  }
  await changeSearchTerms(table, null, item);
  return true;
}

function deliveryKeys(endpoints: readonly WebhookEndpoint[], events: readonly ProjectEvent[]) {
  return events.flatMap((event) =>
    existing(endpoints, event)
      .filter((endpoint) => selects(endpoint, event))
      .map(({ id }) => webhookDeliveryKey({ webhook_id: id, id: webhookMessageId(event.payload, id) })),
  );
}

/** The endpoints that existed at the time of an event. */
function existing(endpoints: readonly WebhookEndpoint[], { payload }: ProjectEvent): WebhookEndpoint[] {
  return endpoints.filter(({ created_at }) => created_at <= payload.timestamp);
}

function hasMoved(before: AnnouncedThrough, after: AnnouncedThrough): boolean {
  return after.some((through, shard) => through !== before[shard]);
}
