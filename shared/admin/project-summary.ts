import { CallStatus, wasAnswered } from '#shared/domain/call.ts';
import { type CallEnding, isWithPerson } from '#shared/domain/call-result.ts';
import type { TaskStatus } from '#shared/domain/task.ts';
import { type TaskType, taskTypes } from '#shared/domain/task-type.ts';
import { dayMs, hourMs, minuteMs } from '#shared/domain/time.ts';
import type { CallProgress, TaskFigures, TaskProgress } from '#shared/table/progress-list.ts';

/** The period: tasks created and calls made from one moment until before another. */
export interface SummaryPeriod {
  readonly from: Date;
  readonly to: Date;
  /** IANA name of the time zone for the hours of calls. */
  readonly timeZone: string;
}

/** Outcomes of the project's tasks and calls in a period. */
export interface ProjectSummary {
  readonly tasks: TaskCounts;
  readonly completion: CompletionTimes;
  readonly calls: CallCounts;
  readonly answers: AnswerCounts;
  /** Of all tasks, and by task type. */
  readonly results: ResultCounts;
  readonly byType: ReadonlyMap<TaskType, ResultCounts>;
}

/** Results of finished tasks as a funnel: each step counts at most the one before it. */
export interface ResultCounts {
  readonly created: number;
  /** Completed or failed; not canceled. */
  readonly finished: number;
  /** Of those, with a conversation of any result. */
  readonly reachedPerson: number;
  /** Of those, with the goal reached. */
  readonly goalReached: number;
}

export interface TaskCounts {
  readonly created: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Finished, with an answer that a person should check. */
  readonly needsReview: number;
  /** Finished, with something left to do. */
  readonly needsFollowUp: number;
  /** Not called yet. */
  readonly uncalled: OpenTasks;
  /** Called at least once, undecided. */
  readonly inProgress: OpenTasks;
}

/** Unfinished tasks, by what they wait for. */
export interface OpenTasks {
  readonly onTheTelephone: number;
  readonly waitingForLine: number;
  /** For calling hours, or for the time of their next attempt. */
  readonly waitingForTime: number;
}

/** From creation to completion, for completed tasks. */
export interface CompletionTimes {
  readonly count: number;
  /** Null without any. */
  readonly medianMs: number | null;
  /** The 90th percentile; null for fewer than ten, where it means nothing. */
  readonly ninetiethPercentileMs: number | null;
  /** How many took less than each of `completionLimitsMs`, but not less than the one before; last, all others. */
  readonly distribution: readonly number[];
}

export interface CallCounts {
  /** Not completed, whenever they began. */
  readonly underWay: number;
  /** Total from answer to hang-up. */
  readonly talkSeconds: number;
  /** Of these, on hold. */
  readonly holdSeconds: number;
  /** Ended calls, by the hour of the day they were made in, 0 to 23. */
  readonly byHour: readonly Readonly<Record<EndedStatus, number>>[];
}

export type EndedStatus = Exclude<CallStatus, 'IN_PROGRESS'>;
export const endedStatuses = CallStatus.options.filter((status) => status !== 'IN_PROGRESS');

export interface AnswerCounts {
  /** Ended calls, without those never placed or canceled before anyone answered. */
  readonly counted: number;
  /** Of those, answered by a person, a menu or a machine. */
  readonly answered: number;
  /** Of the answered ones, those that reached voicemail. */
  readonly voicemail: number;
}

/** Boundaries between the buckets of completion times. */
export const completionLimitsMs = [
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  4 * hourMs,
  dayMs,
  3 * dayMs,
] as const;

/**
 * Counts a period, in any order of tasks and calls.
 *
 * @param slots held by unfinished calls, which are not listed
 */
export function summarize(
  tasks: readonly TaskProgress[],
  calls: readonly CallProgress[],
  period: SummaryPeriod,
  slots = 0,
): ProjectSummary {
  const counted = tasks.filter((task) => isWithin(task, period));
  const made = calls.filter((call) => isWithin(call, period));
  return {
    tasks: countTasks(counted),
    completion: completionTimes(counted),
    calls: countCalls(made, slots, period.timeZone),
    answers: countAnswers(made),
    results: countResults(counted),
    byType: new Map(
      taskTypes.flatMap((type) => {
        const ofType = counted.filter((task) => task.task_type === type);
        return ofType.length === 0 ? [] : [[type, countResults(ofType)] as const];
      }),
    ),
  };
}

export function isWithin(
  { created_at }: { readonly created_at: string },
  { from, to }: Pick<SummaryPeriod, 'from' | 'to'>,
): boolean {
  const createdMs = Date.parse(created_at);
  return createdMs >= from.getTime() && createdMs < to.getTime();
}

function countTasks(tasks: readonly TaskProgress[]): TaskCounts {
  const of = (status: TaskProgress['status']) => tasks.filter((task) => task.status === status);
  return {
    created: tasks.length,
    completed: of('COMPLETED').length,
    failed: of('FAILED').length,
    cancelled: of('CANCELLED').length,
    needsReview: tasks.filter((task) => task.needs_review).length,
    needsFollowUp: tasks.filter((task) => task.needs_follow_up).length,
    uncalled: countOpen(of('PENDING')),
    inProgress: countOpen(of('IN_PROGRESS')),
  };
}

/** How far a task came in the funnel: each step implies the one before it. */
export function resultSteps({
  status,
  result,
}: {
  readonly status: TaskStatus;
  readonly result: {
    readonly goal_reached?: boolean | undefined;
    readonly ending?: CallEnding | null | undefined;
  } | null;
}) {
  const isFinished = status === 'COMPLETED' || status === 'FAILED';
  const reachedPerson = isFinished && result !== null && isWithPerson(result);
  return { isFinished, reachedPerson, goalReached: reachedPerson && result.goal_reached === true };
}

export function countResults(tasks: readonly TaskFigures[]): ResultCounts {
  const steps = tasks.map(resultSteps);
  return {
    created: tasks.length,
    finished: steps.filter(({ isFinished }) => isFinished).length,
    reachedPerson: steps.filter(({ reachedPerson }) => reachedPerson).length,
    goalReached: steps.filter(({ goalReached }) => goalReached).length,
  };
}

function countOpen(tasks: readonly TaskProgress[]): OpenTasks {
  const onTheTelephone = tasks.filter((task) => task.current_call_id !== null).length;
  const waitingForLine = tasks.filter((task) => task.waiting_for_line_since !== null).length;
  return {
    onTheTelephone,
    waitingForLine,
    waitingForTime: tasks.length - onTheTelephone - waitingForLine,
  };
}

/** The number of unfinished tasks. */
export function openCount({ onTheTelephone, waitingForLine, waitingForTime }: OpenTasks): number {
  return onTheTelephone + waitingForLine + waitingForTime;
}

export function completionTimes(tasks: readonly TaskFigures[]): CompletionTimes {
  const durationsMs = tasks
    .filter(({ status }) => status === 'COMPLETED')
    // A finished task does not change anymore, so its last change is its end.
    .map(({ created_at, updated_at }) => Date.parse(updated_at) - Date.parse(created_at))
    .sort((a, b) => a - b);
  return {
    count: durationsMs.length,
    medianMs: percentile(durationsMs, 50),
    ninetiethPercentileMs: durationsMs.length < 10 ? null : percentile(durationsMs, 90),
    distribution: distributionOf(durationsMs),
  };
}

/**
 * The nearest-rank percentile: the smallest value not exceeded by at least so many percent of the values. Always
 * one of the values; null for none.
 *
 * @param ascending the values, smallest first
 */
export function percentile(ascending: readonly number[], perCent: number): number | null {
  const rank = Math.max(1, Math.ceil((perCent / 100) * ascending.length));
  return ascending[rank - 1] ?? null;
}

function distributionOf(durationsMs: readonly number[]): number[] {
  const limits = [...completionLimitsMs, Number.POSITIVE_INFINITY];
  return limits.map((limit, position) => {
    const least = limits[position - 1] ?? Number.NEGATIVE_INFINITY;
    return durationsMs.filter((durationMs) => durationMs >= least && durationMs < limit).length;
  });
}

function countCalls(calls: readonly CallProgress[], slots: number, timeZone: string): CallCounts {
  const hourOf = hourReader(timeZone);
  const byHour = Array.from({ length: 24 }, noCalls);
  for (const { status, created_at } of calls) {
    const counts = byHour[hourOf(created_at)];
    if (status !== 'IN_PROGRESS' && counts !== undefined) counts[status] += 1;
  }
  return {
    // A call that has ended has no status until its recording arrives.
    underWay: slots + calls.filter(({ status }) => status === 'IN_PROGRESS').length,
    talkSeconds: sumOf(calls, ({ talk_seconds }) => talk_seconds ?? 0),
    holdSeconds: sumOf(calls, ({ hold_seconds }) => hold_seconds ?? 0),
    byHour,
  };
}

export function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}

function noCalls(): Record<EndedStatus, number> {
  return { SUCCESS: 0, VOICEMAIL: 0, NO_ANSWER: 0, BUSY: 0, FAILED: 0, CANCELLED: 0 };
}

/** The hour in a time zone. An hour that repeats when clocks go back counts as one. */
function hourReader(timeZone: string): (at: string) => number {
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone });
  return (at) => Number(format.format(new Date(at)));
}

function countAnswers(calls: readonly CallProgress[]): AnswerCounts {
  const counted = calls.filter(couldBeAnswered);
  return {
    counted: counted.length,
    answered: counted.filter(wasAnswered).length,
    voicemail: counted.filter(({ status }) => status === 'VOICEMAIL').length,
  };
}

/** A call that was never placed, or was canceled while ringing, could not be answered. */
function couldBeAnswered(call: CallProgress): boolean {
  if (call.status === 'IN_PROGRESS' || call.submission === 'abandoned') return false;
  return call.status !== 'CANCELLED' || wasAnswered(call);
}
