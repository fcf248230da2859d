import type { RecordedAttempt, WebhookAttempt, WebhookDelivery } from '#shared/domain/webhook.ts';
import { askedSeconds, retryDelaySeconds } from './retry-schedule.ts';
import { isAccepted } from './send.ts';

/**
 * A delivery after an attempt.
 *
 * @param random from 0 to 1
 */
export function afterAttempt(
  delivery: WebhookDelivery,
  attempt: RecordedAttempt,
  now: Date,
  random: number,
): WebhookDelivery {
  const attempted: WebhookDelivery = {
    ...delivery,
    attempt_count: attempt.number,
    last_attempt: withoutResponse(attempt),
    taken_until: null,
  };
  if (isAccepted(attempt)) return { ...attempted, status: 'delivered', due_at: null };
  const schedule_step = delivery.schedule_step + 1;
  // 410 Gone is a receiver's request to stop.
  const waitSeconds =
    attempt.status_code === 410 ? null : retryDelaySeconds(schedule_step, askedSeconds(attempt, now), random);
  return waitSeconds === null
    ? { ...attempted, schedule_step, status: 'failed', due_at: null }
    : { ...attempted, schedule_step, due_at: later(now, waitSeconds) };
}

/** A delivery to a disabled endpoint; it can be replayed once the endpoint is enabled. */
export function undeliverable(delivery: WebhookDelivery): WebhookDelivery {
  return { ...delivery, status: 'failed', due_at: null, taken_until: null };
}

/** A delivery that has to wait for its endpoint's capacity, which is no attempt. */
export function postponed(delivery: WebhookDelivery, now: Date, waitSeconds: number): WebhookDelivery {
  return { ...delivery, due_at: later(now, waitSeconds), taken_until: null };
}

/** Restarts a delivery's retry schedule with an immediate attempt, under the same ID. */
export function restarted(delivery: WebhookDelivery, now: Date): WebhookDelivery {
  const at = now.toISOString();
  return {
    ...delivery,
    status: 'pending',
    schedule_step: 0,
    schedule_started_at: at,
    due_at: at,
    taken_until: null,
  };
}

export function later(now: Date, seconds: number): string {
  return new Date(now.getTime() + seconds * 1000).toISOString();
}

/** The response is stored only with the attempt: a delivery stays small, because it is read often. */
function withoutResponse({ attempted_at, status_code, error, duration_ms }: RecordedAttempt): WebhookAttempt {
  return { attempted_at, status_code, error, duration_ms };
}
