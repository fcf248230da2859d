import { longestDelaySeconds } from '#shared/aws/message-queue.ts';
import type { RecordedAttempt, WebhookDelivery, WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { KmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import { annotateLog, log } from '#shared/observability/log.ts';
import { TransactionConditionFailed, writeContendedTransaction } from '#shared/table/transaction.ts';
import {
  getWebhookDelivery,
  recordedAttemptItem,
  replaceDeliveryItem,
  replaceWebhookDelivery,
} from '#shared/table/webhook-delivery.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import { acquireWebhookSlot, releaseWebhookSlot, type WebhookSlot } from '#shared/table/webhook-slot.ts';
import type { WebhookNetwork } from './address.ts';
import { afterAttempt, postponed, taken, undeliverable } from './after-attempt.ts';
import { type BodyServices, webhookBody } from './body.ts';
import { type DeliveryMessage, type DeliveryQueue, enqueueDelivery } from './delivery-queue.ts';
import { afterEndpointAttempt, attemptsAtOnce, endpointHealthItems } from './endpoint-health.ts';
import { type SentAttempt, sendWebhook } from './send.ts';

export interface DeliveryServices extends BodyServices {
  readonly queue: DeliveryQueue;
  readonly network: WebhookNetwork;
  readonly secrets: KmsEnvelope;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** A slot is free again after this if its holder dies: longer than a worker can run. */
const slotLeaseSeconds = 60;
/** The longest response body that is stored in its delivery, which is read often. */
const shortResponse = 500;
/** Allowed clock skew to the machine that set a due time. */
const clockSkewMs = 2_000;
/** How often to retry applying an attempt to its endpoint after concurrent changes. */
const mostEndpointReads = 3;

/**
 * Makes the due attempt, if any. Claiming it moves the due time, on the condition that it is unchanged: so duplicate
 * messages make one attempt, and an attempt whose worker died becomes due again.
 */
export async function deliver(services: DeliveryServices, message: DeliveryMessage): Promise<void> {
  const { table, now } = services;
  const delivery = await getWebhookDelivery(table, message, now());
  if (delivery !== null) annotateLog({ task_id: delivery.payload.task_id });
  if (delivery === null || !isDue(delivery, now())) return;
  const held = taken(delivery, now());
  if (!(await replaceWebhookDelivery(table, delivery, held))) return;

  const endpoint = await getWebhookEndpoint(table, delivery.project_id, delivery.webhook_id);
  if (endpoint === null || !endpoint.enabled) {
    await replaceWebhookDelivery(table, held, undeliverable(held));
    return;
  }
  const slot = await acquireWebhookSlot(table, endpoint.id, {
    count: attemptsAtOnce(endpoint),
    leaseSeconds: slotLeaseSeconds,
    now: now(),
  });
  if (slot === null) await postpone(services, held, endpoint, message);
  else await attempt(services, held, endpoint, { slot, message });
}

function isDue({ due_at }: WebhookDelivery, now: Date): boolean {
  return due_at !== null && Date.parse(due_at) <= now.getTime() + clockSkewMs;
}

/** Lets the endpoint's attempts in progress finish first, so that a slow endpoint does not take all workers. */
async function postpone(
  services: DeliveryServices,
  held: WebhookDelivery,
  { failing_since }: WebhookEndpoint,
  message: DeliveryMessage,
): Promise<void> {
  const { table, queue, now, random } = services;
  const waitSeconds = (failing_since === null ? 4 : 60) * (0.5 + random());
  if (await replaceWebhookDelivery(table, held, postponed(held, now(), waitSeconds))) {
    await enqueueDelivery(queue, message, Math.ceil(waitSeconds));
  }
}

async function attempt(
  services: DeliveryServices,
  held: WebhookDelivery,
  endpoint: WebhookEndpoint,
  { slot, message }: { slot: WebhookSlot; message: DeliveryMessage },
): Promise<void> {
  const { table, queue, now, random } = services;
  let next: WebhookDelivery;
  try {
    const body = await webhookBody(services, endpoint, held);
    const sent = await sendWebhook(services, endpoint, { id: held.id, body });
    const recorded = { ...sent, response: keptResponse(endpoint, sent), number: held.attempt_count + 1 };
    next = afterAttempt(held, recorded, now(), random());
    await settle(services, { held, next, recorded, endpoint });
  } finally {
    await releaseWebhookSlot(table, slot);
  }
  const waitSeconds = next.due_at === null ? null : (Date.parse(next.due_at) - now().getTime()) / 1000;
  if (waitSeconds !== null && waitSeconds <= longestDelaySeconds) {
    // Longer waits are left to the sweeper, whose minute is too coarse for short ones.
    await enqueueDelivery(queue, message, Math.max(0, Math.ceil(waitSeconds)));
  }
}

/** A receiver may echo the body, and people without access to tasks can read this log. */
function keptResponse({ payload }: WebhookEndpoint, { response }: SentAttempt): SentAttempt['response'] {
  return response === null || payload === 'minimal' ? response : { ...response, body: '', truncated: true };
}

interface Settlement {
  readonly held: WebhookDelivery;
  readonly next: WebhookDelivery;
  readonly recorded: RecordedAttempt;
  /** The endpoint before the attempt. */
  readonly endpoint: WebhookEndpoint;
}

/**
 * Writes the result of an attempt: the delivery, the attempt for its owner, and the effect on the endpoint, all or
 * nothing. Keeps concurrent edits of the endpoint.
 */
async function settle(services: DeliveryServices, settlement: Settlement): Promise<void> {
  const { table, now } = services;
  const { held, next, recorded, endpoint: attempted } = settlement;
  let endpoint: WebhookEndpoint | null = attempted;
  for (let reads = 1; ; reads += 1) {
    const isLast = reads > mostEndpointReads;
    const changed = endpoint === null || isLast ? null : afterEndpointAttempt(endpoint, recorded, now());
    try {
      await writeContendedTransaction(table, [
        ...(isStoredInside(settlement)
          ? [replaceDeliveryItem(table, held, { ...next, first_attempt: recorded })]
          : [replaceDeliveryItem(table, held, next), recordedAttemptItem(table, next, recorded)]),
        ...(endpoint === null || changed === null
          ? []
          : endpointHealthItems(table, endpoint, changed, now())),
      ]);
      logAttempt(settlement, changed);
      return;
    } catch (error) {
      if (!(error instanceof TransactionConditionFailed)) throw error;
      // This worker's lease expired, and another one makes its own attempt.
      if (error.failed.includes(0)) return;
      if (isLast) throw error;
      endpoint = await getWebhookEndpoint(table, held.project_id, held.webhook_id);
      // What its old address answered says nothing about a new one.
      if (endpoint?.url !== attempted.url) endpoint = null;
    }
  }
}

/** Most deliveries end with their first attempt. One item with both needs no transaction, which costs twice. */
function isStoredInside({ next, recorded }: Settlement): boolean {
  const { length } = recorded.response?.body ?? '';
  return recorded.number === 1 && next.status === 'delivered' && length <= shortResponse;
}

function logAttempt({ next, recorded }: Settlement, endpoint: WebhookEndpoint | null): void {
  log('webhook-attempt', {
    webhook_message_id: next.id,
    webhook_id: next.webhook_id,
    attempt: recorded.number,
    status_code: recorded.status_code,
    error: recorded.error,
    duration_ms: recorded.duration_ms,
    outcome: next.status,
  });
  if (endpoint !== null && !endpoint.enabled) {
    log('webhook-disabled', {
      webhook_id: endpoint.id,
      project_id: endpoint.project_id,
      reason: endpoint.disabled_reason,
    });
  }
}
