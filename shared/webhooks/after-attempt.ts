import { timestampAfter } from '#shared/domain/time.ts';
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
    ...released,
  };
  if (isAccepted(attempt)) return { ...attempted, status: 'delivered', due_at: null };
  const schedule_step = delivery.schedule_step + 1;
  // 410 Gone is a receiver's request to stop.
  const waitSeconds =
    attempt.status_code === 410 ? null : retryDelaySeconds(schedule_step, askedSeconds(attempt, now), random);
  return waitSeconds === null
    ? { ...attempted, schedule_step, status: 'failed', due_at: null }
    : { ...attempted, schedule_step, due_at: timestampAfter(now, waitSeconds * 1000) };
}

/** Lease of an attempt: the worker's timeout plus a margin, before the sweeper gives it to another. */
const leaseSeconds = 60;
/** When the sweeper takes over a new delivery: with time for its message to arrive, and for the attempt. */
export const handoverSeconds = leaseSeconds + 30;

const released = { taken_until: null, swept_at: null } as const;

/**
 * A delivery during an attempt. Where the sweeper takes over soon after its lease, that stays, because moving it costs
 * two index writes.
 */
export function taken(delivery: WebhookDelivery, now: Date): WebhookDelivery {
  const leaseEnd = timestampAfter(now, leaseSeconds * 1000);
  const { swept_at } = delivery;
  const isSweptInTime =
    swept_at !== null && swept_at >= leaseEnd && swept_at <= timestampAfter(now, handoverSeconds * 1000);
  return { ...delivery, due_at: leaseEnd, taken_until: leaseEnd, swept_at: isSweptInTime ? swept_at : null };
}

/** A delivery to a disabled endpoint; it can be replayed once the endpoint is enabled. */
export function undeliverable(delivery: WebhookDelivery): WebhookDelivery {
  return { ...delivery, status: 'failed', due_at: null, ...released };
}

/** A delivery that has to wait for its endpoint's capacity, which is no attempt. */
export function postponed(delivery: WebhookDelivery, now: Date, waitSeconds: number): WebhookDelivery {
  return { ...delivery, due_at: timestampAfter(now, waitSeconds * 1000), ...released };
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
    ...released,
  };
}

/** The response is stored only with the attempt: a delivery stays small, because it is read often. */
function withoutResponse({ attempted_at, status_code, error, duration_ms }: RecordedAttempt): WebhookAttempt {
  return { attempted_at, status_code, error, duration_ms };
}
