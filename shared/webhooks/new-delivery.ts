import { timestampAfter } from '#shared/domain/time.ts';
import type { WebhookDelivery } from '#shared/domain/webhook.ts';
import { handoverSeconds } from './after-attempt.ts';
import { type ProjectEvent, webhookMessageId } from './events.ts';

/** A delivery that is due at once, as its message says. */
export function newDelivery(
  endpoint: { readonly id: string; readonly project_id: string },
  { payload, sequence }: Pick<ProjectEvent, 'payload' | 'sequence'>,
  now: Date,
): WebhookDelivery {
  const at = now.toISOString();
  return {
    id: webhookMessageId(payload, endpoint.id),
    webhook_id: endpoint.id,
    project_id: endpoint.project_id,
    payload,
    sequence,
    status: 'pending',
    attempt_count: 0,
    schedule_step: 0,
    schedule_started_at: at,
    last_attempt: null,
    first_attempt: null,
    due_at: at,
    swept_at: timestampAfter(now, handoverSeconds * 1000),
    taken_until: null,
    created_at: at,
  };
}
