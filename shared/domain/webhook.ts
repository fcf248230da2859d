import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

export const WebhookEventName = z.enum([
  'task.completed',
  'call.completed',
  'task.started',
  'call.started',
  'call.failed',
  'task.needs_review',
]);
export type WebhookEventName = z.infer<typeof WebhookEventName>;

/** The default events of an endpoint. */
export const defaultEvents: readonly WebhookEventName[] = ['task.completed', 'call.completed'];

/** Whether an endpoint gets only the IDs of task and call, or the whole task as well. */
export const PayloadForm = z.enum(['minimal', 'full']);
export type PayloadForm = z.infer<typeof PayloadForm>;

/** Webhook events: one that endpoints select, or the test event of an endpoint. */
export const SentEventName = z.enum([...WebhookEventName.options, 'webhook.test']);
export type SentEventName = z.infer<typeof SentEventName>;

/** The members of every webhook; no health information. */
export const WebhookEvent = z.object({
  event: SentEventName,
  task_id: Uuid,
  /** For the end of a task, its last call or null; null for `task.started`. */
  call_id: z.nullable(Uuid),
  timestamp: Timestamp,
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** A stored Standard Webhooks signing secret: `whsec_` and base64 of 24 to 64 random bytes. */
export const SealedSigningSecret = z.object({
  /** Sealed by a KMS envelope, for this endpoint only. */
  sealed: z.string(),
  created_at: Timestamp,
  /** When it stops signing; null for the current one. */
  expires_at: z.nullable(Timestamp),
});
export type SealedSigningSecret = z.infer<typeof SealedSigningSecret>;

export const WebhookEndpoint = z.object({
  id: Uuid,
  project_id: Uuid,
  url: z.string(),
  /** Its owner's description. */
  description: z.string(),
  events: z.array(WebhookEventName),
  /** `full` sends health information to the endpoint. */
  payload: z._default(PayloadForm, 'minimal'),
  /** Newest first: the first is current, the others sign until they expire. */
  signing_secrets: z.array(SealedSigningSecret).check(z.minLength(1)),
  enabled: z.boolean(),
  /** Why the service disabled it: a response 410, or days of failure; null if it did not. */
  disabled_reason: z.nullable(z.enum(['gone', 'failing'])),
  disabled_at: z.nullable(Timestamp),
  /** The first failed attempt since the last successful one; null if the last attempt succeeded, or there was none. */
  failing_since: z.nullable(Timestamp),
  created_at: Timestamp,
  /** Differs after every change, so that a change applies only to what was read. */
  updated_at: Timestamp,
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** Whether an endpoint selected more than the default events and payload, so that it gets `sequence` too. */
export function isSentSequence({ events, payload }: Pick<WebhookEndpoint, 'events' | 'payload'>): boolean {
  return payload === 'full' || events.some((event) => !defaultEvents.includes(event));
}

export const WebhookAttempt = z.object({
  attempted_at: Timestamp,
  /** HTTP status, or null without a response. */
  status_code: z.nullable(z.int()),
  /** Short cause of a missing response, such as `timeout` or `connection refused`. */
  error: z.nullable(z.string()),
  /** From the first step towards the receiver to the last byte read of its response. */
  duration_ms: z.int(),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

/** The stored part of a receiver's response, for debugging by its owner. */
export const WebhookResponse = z.object({
  /** A few of them, by lower-case name. */
  headers: z.record(z.string(), z.string()),
  /** The beginning of the body as text, of any type. */
  body: z.string(),
  /** Whether the body was longer, or might have been. */
  truncated: z.boolean(),
});
export type WebhookResponse = z.infer<typeof WebhookResponse>;

/** An attempt as stored for the owner of the endpoint. */
export const RecordedAttempt = z.object({
  ...WebhookAttempt.shape,
  /** 1 for the delivery's first attempt; replays continue the count. */
  number: z.int(),
  response: z.nullable(WebhookResponse),
});
export type RecordedAttempt = z.infer<typeof RecordedAttempt>;

export const WebhookDeliveryStatus = z.enum(['pending', 'delivered', 'failed']);
export type WebhookDeliveryStatus = z.infer<typeof WebhookDeliveryStatus>;

export const WebhookDelivery = z.object({
  /** The `webhook-id` header: the same for every attempt and replay of this event to this endpoint. */
  id: z.string(),
  webhook_id: Uuid,
  project_id: Uuid,
  payload: WebhookEvent,
  /** Orders the events of a task; null for events from before sequences existed. */
  sequence: z._default(z.nullable(z.int()), null),
  status: WebhookDeliveryStatus,
  attempt_count: z.int(),
  /** Failed attempts since the retry schedule last started. */
  schedule_step: z.int(),
  /** When the retry schedule began, initially or by a replay. */
  schedule_started_at: Timestamp,
  last_attempt: z.nullable(WebhookAttempt),
  /** The first attempt, if the receiver accepted it with a short response; any other is an item of its own. */
  first_attempt: z._default(z.nullable(RecordedAttempt), null),
  /** When the next attempt is due; null once settled. */
  due_at: z.nullable(Timestamp),
  /** When the sweeper takes over, if that is later, because a queue message or a worker is at it. */
  swept_at: z._default(z.nullable(Timestamp), null),
  /** Until when a worker holds it; null if none does. */
  taken_until: z.nullable(Timestamp),
  created_at: Timestamp,
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
