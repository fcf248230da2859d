import { inWords, nextOpening } from '#shared/calling-hours/opening.ts';
import type { CalledPlace } from '#shared/calling-hours/place.ts';
import { type Admission, admit, type SlotRefusal } from '#shared/calls/capacity/admit.ts';
import type { CarrierLimits } from '#shared/calls/capacity/capacity.ts';
import { lineLimits } from '#shared/calls/capacity/slot-pool.ts';
import type { LineTerms } from '#shared/directory/line-terms.ts';
import type { CallCapacity } from '#shared/domain/call-capacity.ts';
import {
  boundedConcurrency,
  boundedHours,
  findGrantProblem,
  isLeftBehind,
} from '#shared/domain/live-bounds.ts';
import { findProjectNumberProblem } from '#shared/domain/number-rules.ts';
import type { OptOut } from '#shared/domain/opt-out.ts';
import type { Project } from '#shared/domain/project.ts';
import { isTooLate, type Task } from '#shared/domain/task.ts';
import { writtenDay } from '#shared/domain/written-date.ts';
import { findReachedLimit, type LiveCounts, type NumberLimits } from './live-limits.ts';

/* The rules that a call must pass, as pure functions. Dialing follows them and dry runs report them. */

/** Whether a task may be called: now, later or never. */
export type DialVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'later'; readonly rule: string; readonly at: Date; readonly reason: string }
  | { readonly kind: 'never'; readonly rule: string; readonly outcome: string };

export interface DialCase {
  readonly task: Task;
  readonly project: Project;
  readonly place: CalledPlace;
  readonly line: LineTerms;
}

const allowed: DialVerdict = { kind: 'allowed' };

/** How long a task waits for an operator to grant its project live calls. */
const ungrantedWaitMs = 15 * 60 * 1000;

/** Whether the project may call the number at all. @param optOut the active opt-out, or null */
export async function judgeNumber(
  { task, project }: Pick<DialCase, 'task' | 'project'>,
  optOut: OptOut | null,
  now: Date,
): Promise<DialVerdict> {
  if (optOut !== null) return never('opted-out', optedOutOutcome(optOut));
  if (isLeftBehind(project, task.created_at)) return never('left-behind', leftBehindOutcome);
  const reason = findGrantProblem(project);
  if (reason !== null) return later(task, 'no-grant', new Date(now.getTime() + ungrantedWaitMs), reason);
  const numberProblem = await findProjectNumberProblem(project, task.phone_number);
  return numberProblem === null
    ? allowed
    : never('number-not-allowed', `No call was made: the number ${numberProblem}.`);
}

/** Whether the number may ring now, by local time where it rings. */
export function judgeTime({ task, project, place }: Omit<DialCase, 'line'>, now: Date): DialVerdict {
  const opening = nextOpening(boundedHours(project), place, now);
  if (isTooLate(task, now)) return tooLate(task);
  if (opening === null) return never('never-open', neverOpenOutcome(project, place));
  return opening.reason === null ? allowed : later(task, 'outside-hours', opening.at, opening.reason);
}

/** Whether number and project are below their call limits. @param counts null when calls are not counted */
export function judgeLimits(
  { task, project, place, line }: DialCase,
  counts: LiveCounts | null,
  limits: NumberLimits,
  now: Date,
): DialVerdict {
  const reached =
    counts === null
      ? null
      : findReachedLimit(counts, line.isShared ? limits.shared : limits.ordinary, task.phone_number, now);
  if (reached === null) return allowed;
  const at = nextOpening(boundedHours(project), place, reached.until)?.at ?? reached.until;
  return later(task, 'limit-reached', at, reached.reason);
}

/** A slot for a call, or the sentence that says why its task waits for one. */
export type SlotVerdict =
  | Extract<Admission, { isAdmitted: true }>
  | (Extract<Admission, { isAdmitted: false }> & { readonly reason: string });

/** Whether the number takes another call. @param atCarrier capacity at the number's carrier */
export function judgeLine(
  { task, line, hadTurn = false }: Pick<DialCase, 'task' | 'line'> & { readonly hadTurn?: boolean },
  capacity: CallCapacity,
  atCarrier: CallCapacity,
  now: Date,
): SlotVerdict {
  const request = {
    projectId: task.project_id,
    projectLimit: line.projectCalls,
    isWaiting: task.waiting_for_line_since !== null,
    hadTurn,
  };
  const admission = admit(capacity, request, lineLimits(line.maxCalls, atCarrier), now);
  return admission.isAdmitted
    ? admission
    : { ...admission, reason: lineRefusalReason(admission.refusal, line) };
}

/** Whether the project's carrier takes another call. */
export function judgeCarrier(
  { task, project }: Pick<DialCase, 'task' | 'project'>,
  capacity: CallCapacity,
  limits: CarrierLimits,
  now: Date,
): SlotVerdict {
  const request = {
    projectId: project.id,
    projectLimit: boundedConcurrency(project),
    isWaiting: task.waiting_for_line_since !== null,
  };
  const admission = admit(capacity, request, limits, now);
  return admission.isAdmitted
    ? admission
    : { ...admission, reason: carrierRefusalReason(admission.refusal, project) };
}

/** Does not reveal who else calls the number. */
function lineRefusalReason(refusal: SlotRefusal, { name, maxCalls, projectCalls }: LineTerms): string {
  const line = name ?? 'this number';
  if (refusal === 'queue') return `Other tasks of the project have waited longer for ${line}.`;
  if (refusal === 'fair-share') return `Projects with fewer calls to ${line}, or a longer wait, come first.`;
  if (maxCalls === 1) return `Another call to ${line} is in progress.`;
  return projectCalls < maxCalls
    ? `The project has reached its limit of ${callsAtOnce(projectCalls)} to ${line}.`
    : `${line === name ? name : 'This number'} takes ${callsAtOnce(maxCalls)}, all in progress.`;
}

function callsAtOnce(count: number): string {
  return count === 1 ? 'one call at a time' : `${count} calls at a time`;
}

function carrierRefusalReason(refusal: SlotRefusal, project: Project): string {
  const limit = boundedConcurrency(project);
  switch (refusal) {
    case 'project-limit':
      return limit === 1
        ? 'The project has reached its limit of one concurrent call.'
        : `The project has reached its limit of ${limit} concurrent calls.`;
    case 'carrier-limit':
      return 'The carrier has reached its limit of concurrent calls.';
    case 'fair-share':
      return 'Projects with fewer calls in progress come first.';
    case 'queue':
      return 'Other tasks of the project have waited longer.';
    case 'pace':
      return 'The telephone carrier takes only one call at a time.';
  }
}

function never(rule: string, outcome: string): DialVerdict {
  return { kind: 'never', rule, outcome };
}

function tooLate({ attempts }: Task): DialVerdict {
  const none = attempts === 0 ? 'No call' : 'No further call';
  return never('too-late', `${none} was made: it could not begin before the requested deadline.`);
}

/** Fails a task whose deadline passes before then. */
function later(task: Task, rule: string, at: Date, reason: string): DialVerdict {
  return isTooLate(task, at) ? tooLate(task) : { kind: 'later', rule, at, reason };
}

const leftBehindOutcome =
  'No call was made: the task was created before its project went live. Create it again.';

function neverOpenOutcome(project: Project, place: CalledPlace): string {
  const hours = inWords(boundedHours(project), place);
  return `The number cannot be called: the calling hours of the project (${hours}) never come.`;
}

/** Clients learn only that the operator's list has the number, because another client may have called it. */
function optedOutOutcome({ project_id, created_at }: OptOut): string {
  if (project_id === null) {
    return "The number is on this service's do-not-call list. An operator of the service can lift it.";
  }
  const day = writtenDay(created_at.slice(0, 'YYYY-MM-DD'.length));
  return `The number asked not to be called again on ${day}. Lift the opt-out to call it.`;
}
