import { closingTime } from '#shared/calling-hours/opening.ts';
import type { CalledPlace } from '#shared/calling-hours/place.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { wakeWaiting } from '#shared/calls/capacity/held-slot.ts';
import { fallbackAnswerPath } from '#shared/calls/carrier-events/fallback-answer.ts';
import { advanceCall } from '#shared/calls/lifecycle/advance-call.ts';
import { maxTalkSeconds, ringSeconds } from '#shared/calls/lifecycle/deadlines.ts';
import { scheduleReconcile } from '#shared/calls/schedule-reconcile.ts';
import { callbackUrl } from '#shared/carrier/callbacks.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import type { CarrierCall } from '#shared/carrier/carrier-responses.ts';
import { CarrierSecretError } from '#shared/carrier/credentials.ts';
import { meaningOf } from '#shared/carrier/explain-call.ts';
import type { Call } from '#shared/domain/call.ts';
import { boundedHours } from '#shared/domain/live-bounds.ts';
import type { Project } from '#shared/domain/project.ts';
import { isTooLate, type Task } from '#shared/domain/task.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, logError } from '#shared/observability/log.ts';
import { releaseClaim } from './claim-call.ts';

/** How long a task waits when the carrier temporarily takes no calls. */
const throttledWaitSeconds = 30;
/** The longest that a throttling carrier may make a task wait. */
const longestThrottledWaitSeconds = 15 * 60;
/** The longest that a throttling carrier gets no other call. */
const longestThrottledPauseSeconds = 5;
/** How long a task waits when the carrier refuses our configuration: time for a person to correct it. */
const misconfiguredWaitSeconds = 15 * 60;

const unusableCredentials =
  'The telephone carrier rejects the credentials; the operator of this service must store valid ones.';
const misconfigured = "The telephone carrier refuses this service's configuration.";

/** The exclusive right to place a call. */
export interface Claim {
  readonly carrier: CarrierClient;
  readonly project: Project;
  readonly place: CalledPlace;
  /** As it was before the claim. */
  readonly task: Task;
  readonly call: Call;
  /** When the carrier may be asked. */
  readonly dialAt: Date;
}

/** Submits a claimed call to the carrier, once, and handles the response. */
export async function placeCall(services: CallServices, claim: Claim): Promise<void> {
  const { carrier, project, task, call } = claim;
  let placed: CarrierCall;
  try {
    placed = await carrier.placeCall({
      to: call.phone_number,
      from: project.caller_number,
      answerUrl: callbackUrl(services.publicBaseUrl, 'answer', task.id, call.id),
      fallbackUrl: `${services.publicBaseUrl}${fallbackAnswerPath}`,
      statusUrl: callbackUrl(services.publicBaseUrl, 'status', task.id, call.id),
      amdUrl: callbackUrl(services.publicBaseUrl, 'amd', task.id, call.id),
      ringSeconds,
      maxTalkSeconds: maxTalkSeconds(call),
    });
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return handleRefusal(services, claim, error);
  }
  annotateLog({ dial: 'submitted' });
  const submitted = await advanceCall(services, call, {
    type: 'submitted',
    carrier_call_sid: placed.sid,
    progress: placed.progress,
  });
  if (isQueuedTooLong(claim, placed, services.now())) return endQueued(carrier, placed);
  // A call whose task was canceled during placement is due at once.
  await scheduleReconcile(services, submitted);
  // Last, once all that the call needs is stored: it rings for some seconds.
  await services.warmUp();
}

/**
 * Whether the carrier, which queues calls beyond its rate, would ring when the number must not be called anymore
 * (Twilio's `queue_time`).
 */
function isQueuedTooLong({ project, place, task }: Claim, { queueMs }: CarrierCall, now: Date): boolean {
  if (queueMs === null || queueMs === 0) return false;
  const closesAt = closingTime(boundedHours(project), place, now);
  const beginsAt = new Date(now.getTime() + queueMs);
  return isTooLate(task, beginsAt) || (closesAt !== null && beginsAt >= closesAt);
}

/** The carrier then reports the call as canceled, and the task is called again within the hours. */
async function endQueued(carrier: CarrierClient, { sid }: CarrierCall): Promise<void> {
  annotateLog({ dial: 'queued-beyond-hours' });
  try {
    await carrier.endCall(sid);
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    logError('queued-call-not-ended', error);
  }
}

async function handleRefusal(services: CallServices, claim: Claim, error: CarrierError): Promise<void> {
  const { call } = claim;
  const explained = error.code === null ? null : meaningOf('error', String(error.code));
  annotateLog({
    dial: error.kind,
    carrier_status: error.status,
    carrier_code: error.code,
    ...(explained === null ? {} : { carrier_means: explained.meaning, remedy: explained.remedy }),
  });
  switch (error.kind) {
    case 'bad-number':
      await advanceCall(services, call, {
        type: 'number-refused',
        error_code: error.code === null ? null : String(error.code),
      });
      return;
    case 'unknown': {
      const waiting = await advanceCall(services, call, { type: 'submission-lost' });
      return scheduleReconcile(services, waiting);
    }
    case 'throttled': {
      const wantedSeconds = error.retryAfterSeconds ?? throttledWaitSeconds;
      const seconds = Math.min(Math.max(wantedSeconds, 1), longestThrottledWaitSeconds);
      return releaseUnplaced(services, claim, {
        seconds,
        pauseSeconds: Math.min(seconds, longestThrottledPauseSeconds),
        reason:
          error.status === null
            ? 'The telephone carrier cannot be reached at the moment.'
            : 'The telephone carrier takes no more calls at the moment.',
      });
    }
    case 'configuration':
    // The account itself does not exist.
    case 'not-found':
      logError(alarmingEvents.carrierRefusesOurConfiguration, error, { carrier: call.carrier });
      return releaseUnplaced(services, claim, {
        seconds: misconfiguredWaitSeconds,
        pauseSeconds: 0,
        reason:
          error.cause instanceof CarrierSecretError
            ? unusableCredentials
            : `${misconfigured}${explained === null ? '' : ` ${explained.meaning}`}`,
      });
  }
}

/** Lets the task of a claim that the carrier surely did nothing with wait, and wakes those that wait for its slots. */
export async function releaseUnplaced(
  services: CallServices,
  { task, call }: Claim,
  { seconds, pauseSeconds, reason }: { seconds: number; pauseSeconds: number; reason: string },
): Promise<void> {
  const now = services.now();
  const inSeconds = (count: number): Date => new Date(now.getTime() + count * 1000);
  const carrierPausedUntil = pauseSeconds === 0 ? null : inSeconds(pauseSeconds);
  const postponement = { at: inSeconds(seconds), reason, carrierPausedUntil };
  const held = await releaseClaim(services.table, { call, before: task }, postponement, now);
  if (held !== null) return wakeWaiting(services, held);
  // The task was canceled meanwhile, and the carrier surely did nothing, so there is nothing to reconcile.
  await advanceCall(services, call, { type: 'abandoned' });
}
