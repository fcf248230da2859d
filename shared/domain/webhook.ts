import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

export const WebhookEventName = z.enum(['task.completed', 'call.completed']);
export type WebhookEventName = z.infer<typeof WebhookEventName>;

/** The body of every webhook: these four members, nothing else, and no health information. */
export const WebhookEvent = z.object({
  event: WebhookEventName,
  task_id: Uuid,
  /** For `task.completed` the last call of the task; null if none was made. */
  call_id: z.nullable(Uuid),
  timestamp: Timestamp,
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

export const WebhookEndpoint = z.object({
  id: Uuid,
  project_id: Uuid,
  url: z.string(),
  events: z.array(WebhookEventName),
  /** Standard Webhooks signing secret: `whsec_` and base64 of 24 to 64 random bytes. */
  signing_secret: z.string(),
  enabled: z.boolean(),
  /** Why the service itself stopped sending to it, such as `gone` for an answer 410; null when it did not. */
  disabled_reason: z.nullable(z.string()),
  created_at: Timestamp,
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const WebhookAttempt = z.object({
  attempted_at: Timestamp,
  /** HTTP status, or null when no answer came. */
  status_code: z.nullable(z.int()),
  /** Short cause when no answer came, such as `timeout` or `connection refused`. */
  error: z.nullable(z.string()),
  duration_ms: z.int(),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

export const WebhookDelivery = z.object({
  /** The `webhook-id` header: the same for every attempt and every replay of this event to this endpoint. */
  id: z.string(),
  webhook_id: Uuid,
  project_id: Uuid,
  payload: WebhookEvent,
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.array(WebhookAttempt),
  /** When the next attempt is due; null once it is settled. */
  due_at: z.nullable(Timestamp),
  created_at: Timestamp,
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
