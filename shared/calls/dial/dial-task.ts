import { admit } from '#shared/call-capacity/admit.ts';
import { calledPlace } from '#shared/calling-hours/called-place.ts';
import { inWords, nextOpening } from '#shared/calling-hours/opening.ts';
import type { CalledPlace } from '#shared/calling-hours/place.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import {
  askNextForNumber,
  askNextOfProject,
  queueForNumber,
  queueForSlot,
} from '#shared/calls/capacity/wait-queue.ts';
import { finishTask } from '#shared/calls/lifecycle/conclude-task.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import {
  boundedConcurrency,
  boundedHours,
  findGrantProblem,
  isLeftBehind,
} from '#shared/domain/live-bounds.ts';
import { findProjectNumberProblem } from '#shared/domain/number-rules.ts';
import { listsOf, type OptOut } from '#shared/domain/opt-out.ts';
import type { CarrierName, Project } from '#shared/domain/project.ts';
import { isTooLate, type Task } from '#shared/domain/task.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, log } from '#shared/observability/log.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import { getDestinationLock } from '#shared/table/destination-lock.ts';
import { findActiveOptOut } from '#shared/table/opt-out.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getProject } from '#shared/table/project.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { getTask, replaceTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { claimCall, isDialDue } from './claim-call.ts';
import { findReachedLimit, readLiveCounts } from './live-limits.ts';
import { Mutex } from './mutex.ts';
import { type Claim, placeCall } from './place-call.ts';

/**
 * Dials the task's next attempt if it is due and everything allows it. However often and by however many runners this
 * is called, an attempt goes to the carrier once, because the claim comes first.
 */
export async function dialTask(services: CallServices, taskId: string): Promise<void> {
  const claim = await retryOnConflict(() => claimDueAttempt(services, taskId));
  if (claim === null) return;
  annotateLog({ call_id: claim.call.id, attempt: claim.call.attempt });
  log('call-claimed', { queue_wait_seconds: waitedSeconds(claim) });
  const untilSlotMs = claim.dialAt.getTime() - services.now().getTime();
  if (untilSlotMs > 0) await services.wait(untilSlotMs);
  await placeCall(services, claim);
}

/** How long the call waited for its number and its slot, since it was due. */
function waitedSeconds({ task, call, dialAt }: Claim): number {
  const dueAt = Date.parse(task.waiting_for_line_since ?? task.next_attempt_at ?? call.created_at);
  return Math.max(0, dialAt.getTime() - dueAt) / 1000;
}

/** Each dial of a batch would change the call capacity that the others of the batch have just read. */
const longestTurnMs = 2_000;
const mutexes: Readonly<Record<CarrierName, Mutex>> = {
  sandbox: new Mutex(longestTurnMs),
  live: new Mutex(longestTurnMs),
};

/** The gate before a call. What it does not let through now it ends, puts off, or has wait for a slot. */
async function claimDueAttempt(services: CallServices, taskId: string): Promise<Claim | null> {
  const { table } = services;
  const task = await getTask(table, taskId);
  const now = services.now();
  if (task === null || !isDialDue(task, now)) {
    annotateLog({ dial: 'not-due' });
    return null;
  }
  const [project, patient] = await Promise.all([
    // A grant that was withdrawn a moment ago is withdrawn.
    getProject(table, task.project_id, { consistently: true }),
    getPatient(table, task.patient_id),
  ]);
  if (project === null) throw new Error(`project ${task.project_id} of a task does not exist`);
  annotateLog({ project_id: project.id });
  const lists = listsOf(project, services.optOutScope);
  const optOut = await findActiveOptOut(table, lists, task.phone_number);
  if (optOut !== null) {
    annotateLog({ dial: 'opted-out' });
    await failUncalled(services, { task, project }, optedOutOutcome(optOut), now);
    return null;
  }
  if (!(await isPermitted(services, { task, project }, now))) return null;
  const place = calledPlace(project, task, patient);
  if (!(await isOpen(services, { task, project, place }, now))) return null;
  const carrier = await services.carrier(project.carrier);
  if (carrier === null) {
    annotateLog({ dial: 'no-carrier' });
    log(alarmingEvents.carrierWithoutCredentials, { carrier: project.carrier });
    await failUncalled(services, { task, project }, noCarrierOutcome, now);
    return null;
  }
  return mutexes[project.carrier].run(async () => {
    // Time has passed while this task waited for its turn.
    const turnAt = services.now();
    if (!(await isOpen(services, { task, project, place }, turnAt))) return null;
    return claimSlot(services, { task, project, place, carrier }, turnAt);
  });
}

/** How long a task waits for an operator to grant its project real calls. */
const ungrantedWaitMs = 15 * 60 * 1000;

/** Whether the project may call the number at all; if not, the task fails, or waits for an operator's grant. */
async function isPermitted(
  services: CallServices,
  { task, project }: Pick<Claim, 'task' | 'project'>,
  now: Date,
): Promise<boolean> {
  if (isLeftBehind(project, task.created_at)) {
    annotateLog({ dial: 'left-behind' });
    await failUncalled(services, { task, project }, leftBehindOutcome, now);
    return false;
  }
  const reason = findGrantProblem(project);
  if (reason !== null) {
    annotateLog({ dial: 'no-grant' });
    const at = new Date(now.getTime() + ungrantedWaitMs);
    await postpone(services, { task, project }, { at, reason }, now);
    return false;
  }
  const numberProblem = await findProjectNumberProblem(project, task.phone_number);
  if (numberProblem === null) return true;
  annotateLog({ dial: 'number-not-allowed' });
  await failUncalled(services, { task, project }, `No call was made: the number ${numberProblem}.`, now);
  return false;
}

/** Whether the number may be called now; if not, the task waits for its hours, or fails when they never come. */
async function isOpen(
  services: CallServices,
  { task, project, place }: Pick<Claim, 'task' | 'project' | 'place'>,
  now: Date,
): Promise<boolean> {
  const opening = nextOpening(boundedHours(project), place, now);
  if (isTooLate(task, now)) {
    await giveUpTooLate(services, { task, project }, now);
    return false;
  }
  if (opening === null) {
    annotateLog({ dial: 'never-open' });
    await failUncalled(services, { task, project }, neverOpenOutcome(project, place), now);
    return false;
  }
  if (opening.reason === null) return true;
  annotateLog({ dial: 'outside-hours' });
  await postpone(services, { task, project }, { at: opening.at, reason: opening.reason }, now);
  return false;
}

/**
 * Claims the attempt if the number is free and there is a slot for it; else the task waits for whichever is
 * missing.
 */
async function claimSlot(
  services: CallServices,
  { task, project, place, carrier }: Pick<Claim, 'task' | 'project' | 'place'> & { carrier: CarrierClient },
  now: Date,
): Promise<Claim | null> {
  const { table } = services;
  const destination = { carrier: project.carrier, phone_number: task.phone_number };
  const [lock, usage, counts] = await Promise.all([
    getDestinationLock(table, destination),
    getCallCapacity(table, project.carrier),
    readLiveCounts(table, project, task.phone_number, now),
  ]);
  if (lock !== null) {
    annotateLog({ dial: 'number-busy' });
    await queueForNumber(services, task, project, lock);
    await askNextOfProject(services, task);
    return null;
  }
  const reached =
    counts === null ? null : findReachedLimit(counts, services.numberLimits, task.phone_number, now);
  if (reached !== null) {
    annotateLog({ dial: 'limit-reached' });
    const at = nextOpening(boundedHours(project), place, reached.until)?.at ?? reached.until;
    await postpone(services, { task, project }, { at, reason: reached.reason }, now);
    return null;
  }
  const request = {
    projectId: project.id,
    projectLimit: boundedConcurrency(project),
    isWaiting: task.waiting_for_line_since !== null,
  };
  const admission = admit(usage, request, services.carrierLimits[project.carrier], now);
  if (!admission.isAdmitted) {
    annotateLog({ dial: admission.refusal });
    await queueForSlot(services, task, project, { usage, ...admission });
    return null;
  }
  const optOutLists = listsOf(project, services.optOutScope);
  const call = await claimCall(
    table,
    { task, project, optOutLists },
    { usage, next: admission.next, counts },
    now,
  );
  return { carrier, project, place, task, call, dialAt: admission.dialAt };
}

const tooLateOutcome = 'No further call was made: it could not begin before the time that was asked for.';

/** A project whose carrier the service has no credentials for can never make a call. */
const noCarrierOutcome =
  'No call was made: this service has no access to the telephone carrier of the project.';

const leftBehindOutcome =
  'No call was made: the task was created in the sandbox, which its project has left. Create it again.';

function neverOpenOutcome(project: Project, place: CalledPlace): string {
  return `The number cannot be called: the calling hours of the project (${inWords(boundedHours(project), place)}) never come.`;
}

/** Of the operator's list a client learns no more than that it has the number: another client may have called it. */
function optedOutOutcome({ project_id, created_at }: OptOut): string {
  if (project_id === null) {
    return "The number is on this service's do-not-call list. An operator of the service can lift that.";
  }
  const day = created_at.slice(0, 'YYYY-MM-DD'.length);
  return `The number asked not to be called again on ${day}. Lift the opt-out to call it.`;
}

/** Ends a task that must not or cannot be called any more, without another call. */
async function failUncalled(
  services: CallServices,
  { task, project }: Pick<Claim, 'task' | 'project'>,
  outcome: string,
  now: Date,
): Promise<void> {
  const failed = finishTask({ ...task, updated_at: now.toISOString() }, 'FAILED', outcome);
  await leaveUncalled(services, task, project, failed);
}

function giveUpTooLate(
  services: CallServices,
  claim: Pick<Claim, 'task' | 'project'>,
  now: Date,
): Promise<void> {
  annotateLog({ dial: 'too-late' });
  return failUncalled(services, claim, tooLateOutcome, now);
}

/** Has a task wait that may be called later; one whose time is over by then fails now. */
async function postpone(
  services: CallServices,
  { task, project }: Pick<Claim, 'task' | 'project'>,
  { at, reason }: { readonly at: Date; readonly reason: string },
  now: Date,
): Promise<void> {
  if (isTooLate(task, at)) return giveUpTooLate(services, { task, project }, now);
  await leaveUncalled(services, task, project, {
    ...task,
    next_attempt_at: at.toISOString(),
    next_attempt_reason: reason,
    waiting_for_line_since: null,
    updated_at: now.toISOString(),
  });
}

async function leaveUncalled(
  services: CallServices,
  task: Task,
  project: Project,
  next: Task,
): Promise<void> {
  await writeTransaction(services.table, [replaceTaskItem(services.table, task, next)]);
  await Promise.all([askNextOfProject(services, task), askNextForNumber(services, task, project)]);
}
