import { calledPlace } from '#shared/calling-hours/called-place.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { sharesOf, slotsInUse } from '#shared/calls/capacity/capacity.ts';
import { dispatchSoon } from '#shared/calls/capacity/dispatch-waiting.ts';
import { carrierPool, lineLimits, linePool } from '#shared/calls/capacity/slot-pool.ts';
import { askNextForNumber, askNextOfProject, queueForSlot } from '#shared/calls/capacity/wait-queue.ts';
import { finishTask } from '#shared/calls/lifecycle/conclude-task.ts';
import { type LineTerms, readLineTerms, withLineLimits } from '#shared/directory/line-terms.ts';
import { boundedConcurrency } from '#shared/domain/live-bounds.ts';
import { listsOf } from '#shared/domain/opt-out.ts';
import type { CarrierName, Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, log } from '#shared/observability/log.ts';
import { followTrace } from '#shared/observability/trace.ts';
import { getCallCapacity, replaceCallCapacityItem } from '#shared/table/call-capacity.ts';
import { getLine, replaceLineItem } from '#shared/table/line.ts';
import { findActiveOptOut } from '#shared/table/opt-out.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getProject } from '#shared/table/project.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { getTask, replaceTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { claimCall, isDialDue } from './claim-call.ts';
import {
  type DialVerdict,
  judgeCarrier,
  judgeLimits,
  judgeLine,
  judgeNumber,
  judgeTime,
} from './dial-rules.ts';
import { readLiveCounts } from './live-limits.ts';
import { Mutex } from './mutex.ts';
import { type Claim, placeCall, postponed, releaseUnplaced } from './place-call.ts';

/**
 * Dials the task's next attempt if it is due and allowed. Even with repeated and concurrent calls, an attempt goes to
 * the carrier once, because the claim comes first.
 *
 * @param hadTurn whether the task has had its turn at the number before
 */
export async function dialTask(services: CallServices, taskId: string, hadTurn = false): Promise<void> {
  const claim = await retryOnConflict(() => claimDueAttempt(services, taskId, hadTurn));
  if (claim === null) return;
  annotateLog({ call_id: claim.call.id, attempt: claim.call.attempt });
  log('call-claimed', { queue_wait_seconds: waitedSeconds(claim) });
  const untilSlotMs = claim.dialAt.getTime() - services.now().getTime();
  if (untilSlotMs > 0) await services.wait(untilSlotMs);
  const mayRing = judgeTime(claim, services.now());
  if (mayRing.kind === 'allowed') return placeCall(services, claim);
  // It was allowed at the claim. The gate says what becomes of the task.
  const reason = mayRing.kind === 'later' ? mayRing.reason : mayRing.outcome;
  await releaseUnplaced(services, claim, postponed(claim.task, { seconds: 0, reason }, services.now()));
  await dialTask(services, taskId, hadTurn);
}

/** How long the call waited for its number and its slot after it was due. */
function waitedSeconds({ task, call, dialAt }: Claim): number {
  const dueAt = Date.parse(task.waiting_for_line_since ?? task.next_attempt_at ?? call.created_at);
  return Math.max(0, dialAt.getTime() - dueAt) / 1000;
}

/** Serializes dials of a batch: each changes the call capacity that the others have just read. */
const longestTurnMs = 2_000;
const mutexes: Readonly<Record<CarrierName, Mutex>> = {
  sandbox: new Mutex(longestTurnMs),
  live: new Mutex(longestTurnMs),
};

/** The gate before a call: ends or postpones a task that may not be called, or lets it wait for a slot. */
async function claimDueAttempt(
  services: CallServices,
  taskId: string,
  hadTurn: boolean,
): Promise<Claim | null> {
  const { table } = services;
  const task = await getTask(table, taskId);
  if (task !== null) followTrace(task);
  const now = services.now();
  if (task === null || !isDialDue(task, now)) {
    annotateLog({ dial: 'not-due' });
    return null;
  }
  const [project, patient, line] = await Promise.all([
    // Read consistently, so that a grant withdrawn a moment ago counts as withdrawn.
    getProject(table, task.project_id, { consistently: true }),
    getPatient(table, task.patient_id),
    readLineTerms(table, task.project_id, task.phone_number),
  ]);
  if (project === null) throw new Error(`project ${task.project_id} of a task does not exist`);
  annotateLog({ project_id: project.id });
  const optOut = await findActiveOptOut(table, listsOf(project, services.optOutScope), task.phone_number);
  const mayCall = await judgeNumber({ task, project }, optOut, now);
  if (!(await follow(services, { task, project }, mayCall, now))) return null;
  const place = calledPlace(project, task, patient, line);
  if (!(await follow(services, { task, project }, judgeTime({ task, project, place }, now), now)))
    return null;
  const carrier = await services.carrier(project.carrier);
  if (carrier === null) {
    annotateLog({ dial: 'no-carrier' });
    log(alarmingEvents.carrierWithoutCredentials, { carrier: project.carrier });
    await failUncalled(services, { task, project }, noCarrierOutcome, now);
    return null;
  }
  return mutexes[project.carrier].run(async () => {
    // Read again, because this task waited for its turn.
    const turnAt = services.now();
    const mayRing = judgeTime({ task, project, place }, turnAt);
    if (!(await follow(services, { task, project }, mayRing, turnAt))) return null;
    return claimSlot(services, { task, project, place, line, carrier, hadTurn }, turnAt);
  });
}

/** Applies the verdict. @returns whether the task may be called now; otherwise it was postponed or failed */
async function follow(
  services: CallServices,
  { task, project }: Pick<Claim, 'task' | 'project'>,
  verdict: DialVerdict,
  now: Date,
): Promise<boolean> {
  if (verdict.kind === 'allowed') return true;
  annotateLog({ dial: verdict.rule });
  if (verdict.kind === 'never') await failUncalled(services, { task, project }, verdict.outcome, now);
  else await postpone(services, { task, project }, verdict, now);
  return false;
}

interface SlotClaim extends Pick<Claim, 'task' | 'project' | 'place' | 'carrier'> {
  readonly line: LineTerms;
  /** Whether the task has had its turn at the number before. */
  readonly hadTurn: boolean;
}

/**
 * Claims the attempt if the number and the carrier have a slot for it; otherwise the task waits for the missing one.
 */
async function claimSlot(
  services: CallServices,
  { task, project, place, line, carrier, hadTurn }: SlotClaim,
  now: Date,
): Promise<Claim | null> {
  const { table } = services;
  const destination = { carrier: project.carrier, phone_number: task.phone_number };
  const [read, capacity, counts] = await Promise.all([
    getLine(table, destination),
    getCallCapacity(table, project.carrier),
    readLiveCounts(table, project, task.phone_number, now),
  ]);
  const atLine = judgeLine({ task, line, hadTurn }, read.capacity, capacity, now);
  const change = { waiting: atLine.next.waiting, maxCalls: line.maxCalls };
  const pool = linePool(services, destination, task.id);
  if (!atLine.isAdmitted) {
    annotateLog({ dial: `line-${atLine.refusal}` });
    await queueForSlot(services, task, line.projectCalls, {
      pool,
      refusal: atLine.refusal,
      reason: atLine.reason,
      capacity: read.capacity,
      enter: atLine.next === read.capacity ? null : replaceLineItem(table, read, change, now),
    });
    await askNextOfProject(services, task);
    return null;
  }
  const mayCount = judgeLimits({ task, project, place, line }, counts, services.numberLimits, now);
  if (!(await follow(services, { task, project }, mayCount, now))) return null;
  const admission = judgeCarrier({ task, project }, capacity, services.carrierLimits[project.carrier], now);
  if (!admission.isAdmitted) {
    const { refusal, reason, next } = admission;
    annotateLog({ dial: refusal });
    await queueForSlot(services, task, boundedConcurrency(project), {
      pool: carrierPool(services, project.carrier),
      refusal,
      reason,
      capacity,
      enter: next === capacity ? null : replaceCallCapacityItem(table, project.carrier, capacity, next),
    });
    return null;
  }
  const optOutLists = listsOf(project, services.optOutScope);
  const call = await claimCall(
    table,
    { task, project: withLineLimits(project, line), optOutLists },
    { capacity, next: admission.next, counts, line: { read, change } },
    now,
  );
  // The carrier's pace may have left tasks waiting although slots are free.
  if (
    sharesOf(atLine.next, lineLimits(line.maxCalls, capacity)).length > 0 &&
    slotsInUse(atLine.next) < line.maxCalls
  ) {
    await dispatchSoon(services, pool, read.capacity);
  }
  return { carrier, project, place, task, call, dialAt: admission.dialAt };
}

/** A project whose carrier has no credentials here can never make a call. */
const noCarrierOutcome =
  'No call was made: this service has no access to the telephone carrier of the project.';

/** Ends a task that must not or cannot be called anymore, without another call. */
async function failUncalled(
  services: CallServices,
  { task, project }: Pick<Claim, 'task' | 'project'>,
  outcome: string,
  now: Date,
): Promise<void> {
  const failed = finishTask({ ...task, updated_at: now.toISOString() }, 'FAILED', outcome);
  await leaveUncalled(services, task, project, failed);
}

/** Postpones a task that may be called later. */
async function postpone(
  services: CallServices,
  { task, project }: Pick<Claim, 'task' | 'project'>,
  { at, reason }: { readonly at: Date; readonly reason: string },
  now: Date,
): Promise<void> {
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
