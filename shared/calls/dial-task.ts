import { callbackUrl } from '#shared/carrier/callbacks.ts';
import type { CarrierCall, CarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import { CarrierSecretError } from '#shared/carrier/credentials.ts';
import type { Call } from '#shared/domain/call.ts';
import type { OptOut } from '#shared/domain/opt-out.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { annotateLog, logError } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import { getOptOut } from '#shared/table/opt-out.ts';
import { getProject } from '#shared/table/project.ts';
import { getTask, replaceTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { advanceCall } from './advance-call.ts';
import type { CallServices } from './call-services.ts';
import { claimCall, isDialDue, releaseClaim } from './claim-call.ts';
import { finishTask } from './conclude-task.ts';
import { maxTalkSeconds, ringSeconds } from './deadlines.ts';
import { lookAgainSoon } from './look-again.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/** How long a task waits when the carrier does not take calls just now. */
const throttledWaitSeconds = 30;
/** The longest time that the carrier may have a task wait that it throttles. */
const longestThrottledWaitSeconds = 15 * 60;
/** How long a task waits when the carrier refuses our configuration: until a person had time to correct it. */
const misconfiguredWaitSeconds = 15 * 60;

/**
 * Dials the task's next attempt if it is due. However often and by however many runners this is called, one attempt is
 * handed to the carrier once: the claim comes first, and nobody dials without one.
 */
export async function dialTask(services: CallServices, taskId: string): Promise<void> {
  const claim = await retryOnConflict(() => claimDueAttempt(services, taskId));
  if (claim === null) return;
  annotateLog({ call_id: claim.call.id, attempt: claim.call.attempt });
  await placeClaimedCall(services, claim);
}

interface Claim {
  readonly carrier: CarrierClient;
  readonly project: Project;
  /** As it was before the claim. */
  readonly task: Task;
  readonly call: Call;
}

async function claimDueAttempt(services: CallServices, taskId: string): Promise<Claim | null> {
  const { table } = services;
  const task = await getTask(table, taskId);
  const now = services.now();
  if (task === null || !isDialDue(task, now)) {
    annotateLog({ dial: 'not-due' });
    return null;
  }
  const [project, optOut] = await Promise.all([
    getProject(table, task.project_id),
    getOptOut(table, task.project_id, task.phone_number),
  ]);
  if (project === null) throw new Error(`project ${task.project_id} of a task does not exist`);
  annotateLog({ project_id: project.id });
  if (optOut !== null) {
    annotateLog({ dial: 'opted-out' });
    await failUncalled(table, task, optedOutOutcome(optOut), now);
    return null;
  }
  const carrier = await services.carrier(project.carrier);
  if (carrier === null) {
    annotateLog({ dial: 'no-carrier' });
    logError('carrier-without-credentials', new Error('no credentials for the carrier of a project'));
    await failUncalled(table, task, noCarrierOutcome, now);
    return null;
  }
  const call = await claimCall(table, task, project, now);
  if (call === null) {
    annotateLog({ dial: 'claimed-by-another' });
    return null;
  }
  return { carrier, project, task, call };
}

async function placeClaimedCall(
  services: CallServices,
  { carrier, project, task, call }: Claim,
): Promise<void> {
  let placed: CarrierCall;
  try {
    placed = await carrier.placeCall({
      to: call.phone_number,
      from: project.caller_number,
      answerUrl: callbackUrl(services.publicBaseUrl, 'answer', task.id, call.id),
      statusUrl: callbackUrl(services.publicBaseUrl, 'status', task.id, call.id),
      amdUrl: callbackUrl(services.publicBaseUrl, 'amd', task.id, call.id),
      ringSeconds,
      maxTalkSeconds,
    });
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return handleRefusal(services, task, call, error);
  }
  annotateLog({ dial: 'submitted' });
  await advanceCall(services, task.id, call.id, {
    type: 'submitted',
    carrier_call_sid: placed.sid,
    progress: placed.progress,
  });
}

async function handleRefusal(
  services: CallServices,
  task: Task,
  call: Call,
  error: CarrierError,
): Promise<void> {
  annotateLog({ dial: error.kind, carrier_status: error.status, carrier_code: error.code });
  switch (error.kind) {
    case 'bad-number':
      await advanceCall(services, task.id, call.id, { type: 'number-refused' });
      return;
    case 'unknown': {
      const waiting = await advanceCall(services, task.id, call.id, { type: 'submission-lost' });
      return lookAgainSoon(services, waiting);
    }
    case 'throttled': {
      const wantedSeconds = error.retryAfterSeconds ?? throttledWaitSeconds;
      return release(services, task, call, {
        seconds: Math.min(Math.max(wantedSeconds, 1), longestThrottledWaitSeconds),
        reason:
          error.status === null
            ? 'The telephone carrier cannot be reached at the moment.'
            : 'The telephone carrier takes no more calls at the moment.',
      });
    }
    case 'configuration':
    // The account itself is not there.
    case 'not-found':
      logError('carrier-refuses-our-configuration', error, { carrier: call.carrier });
      return release(services, task, call, {
        seconds: misconfiguredWaitSeconds,
        reason:
          error.cause instanceof CarrierSecretError
            ? 'The credentials for the telephone carrier cannot be used; whoever runs this service must store valid ones.'
            : 'The telephone carrier refuses calls as this service is configured.',
      });
  }
}

async function release(
  services: CallServices,
  task: Task,
  call: Call,
  { seconds, reason }: { seconds: number; reason: string },
): Promise<void> {
  const now = services.now();
  const at = new Date(now.getTime() + seconds * 1000);
  await releaseClaim(services.table, call, task, { at, reason }, now);
}

/** A project whose carrier the service has no credentials for can never call anybody. */
const noCarrierOutcome =
  'No call was made: this service has no access to the telephone carrier of the project.';

function optedOutOutcome({ created_at }: OptOut): string {
  const day = created_at.slice(0, 'YYYY-MM-DD'.length);
  return `The number asked not to be called again on ${day}. Lift the opt-out to call it.`;
}

/** Ends a task that must not or cannot be called any more, without another call. */
async function failUncalled(table: Table, task: Task, outcome: string, now: Date): Promise<void> {
  const failed = finishTask({ ...task, updated_at: now.toISOString() }, 'FAILED', outcome);
  await writeTransaction(table, [replaceTaskItem(table, task, failed)]);
}
