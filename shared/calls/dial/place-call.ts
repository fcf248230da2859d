import { closingTime } from '#shared/calling-hours/opening.ts';
import type { CalledPlace } from '#shared/calling-hours/place.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { wakeWaiting } from '#shared/calls/capacity/held-slot.ts';
import { fallbackAnswerPath } from '#shared/calls/carrier-events/fallback-answer.ts';
import { advanceCall } from '#shared/calls/lifecycle/advance-call.ts';
import { finishTask } from '#shared/calls/lifecycle/conclude-task.ts';
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
import { dayMs, timestampAfter } from '#shared/domain/time.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, logError } from '#shared/observability/log.ts';
import { releaseClaim } from './claim-call.ts';

/** How long a task waits when the carrier temporarily takes no calls. */
const throttledWaitSeconds = 30;
/** The longest that a throttling carrier may make a task wait. */
const longestThrottledWaitSeconds = 15 * 60;
/** The longest that a throttling carrier gets no other call. */
const longestThrottledPauseSeconds = 5;
/** How long a task waits when the carrier refuses the call: time for a person to correct what it refuses. */
const refusedWaitSeconds = 15 * 60;
/** The longest that the carrier may refuse calls to one number or country before their task fails. */
const longestRefusalMs = dayMs;

const unusableCredentials =
  'The telephone carrier rejects the credentials; the operator of this service must store valid ones.';
const misconfigured = "The telephone carrier refuses this service's configuration.";
const refused = 'The telephone carrier refuses this call.';

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
      const reason =
        error.status === null
          ? 'The telephone carrier cannot be reached at the moment.'
          : 'The telephone carrier takes no more calls at the moment.';
      const pauseSeconds = Math.min(seconds, longestThrottledPauseSeconds);
      return releaseUnplaced(
        services,
        claim,
        postponed(claim.task, { seconds, reason }, services.now()),
        pauseSeconds,
      );
    }
    case 'configuration':
    // The account itself does not exist.
    case 'not-found':
      if (explained === null || explained.fails !== undefined) {
        logError(alarmingEvents.carrierRefusesOurConfiguration, error, { carrier: call.carrier });
      }
      return releaseUnplaced(services, claim, afterRefusal(claim.task, error, services.now()));
  }
}

/**
 * The task after the carrier refused its call. What an operator corrects for all calls is waited for. A number or
 * country may be refused for good, so its task fails in the end.
 */
function afterRefusal(task: Task, { code, cause }: CarrierError, now: Date): Task {
  const explained = code === null ? null : meaningOf('error', String(code));
  const isOurs = explained === null || explained.fails === 'all calls';
  const known = task.carrier_refusal;
  const carrier_refusal = known?.code === code ? known : { code, since: now.toISOString() };
  const sentences = [isOurs ? misconfigured : refused, ...(explained === null ? [] : [explained.meaning])];
  const reason = cause instanceof CarrierSecretError ? unusableCredentials : sentences.join(' ');
  if (!isOurs && now.getTime() - Date.parse(carrier_refusal.since) >= longestRefusalMs) {
    annotateLog({ dial: 'refused-too-long' });
    return finishTask(task, 'FAILED', `${reason} It has done so for a day, so no further calls are made.`);
  }
  return { ...postponed(task, { seconds: refusedWaitSeconds, reason }, now), carrier_refusal };
}

export function postponed(
  task: Task,
  { seconds, reason }: { readonly seconds: number; readonly reason: string },
  now: Date,
): Task {
  return { ...task, next_attempt_at: timestampAfter(now, seconds * 1000), next_attempt_reason: reason };
}

/** Lets the task of a claim that the carrier surely did nothing with wait, and wakes those that wait for its slots. */
export async function releaseUnplaced(
  services: CallServices,
  { call }: Claim,
  after: Task,
  pauseSeconds = 0,
): Promise<void> {
  const now = services.now();
  const carrierPausedUntil = pauseSeconds === 0 ? null : new Date(now.getTime() + pauseSeconds * 1000);
  const held = await releaseClaim(services.table, call, { after, carrierPausedUntil }, now);
  if (held !== null) return wakeWaiting(services, held);
  // The task was canceled meanwhile, and the carrier surely did nothing, so there is nothing to reconcile.
  await advanceCall(services, call, { type: 'abandoned' });
}
