import { CallStatus } from '#shared/domain/call.ts';
import { type CallEnding, isWithPerson } from '#shared/domain/call-result.ts';
import type { TaskStatus } from '#shared/domain/task.ts';
import { type TaskType, taskTypes } from '#shared/domain/task-type.ts';
import type { CallProgress, TaskFigures, TaskProgress } from '#shared/table/progress-list.ts';

/** What is counted: tasks created and calls made from a moment on and before another one. */
export interface SummaryPeriod {
  readonly from: Date;
  readonly to: Date;
  /** IANA name of the time zone whose clocks tell the hour of a call. */
  readonly timeZone: string;
}

/** What became of the project's tasks and calls in a period. */
export interface ProjectSummary {
  readonly tasks: TaskCounts;
  readonly completion: CompletionTimes;
  readonly calls: CallCounts;
  readonly answers: AnswerCounts;
  /** Of all tasks, and by the type of the task. */
  readonly results: ResultCounts;
  readonly byType: ReadonlyMap<TaskType, ResultCounts>;
}

/** What finished tasks have come to, step by step: each counts no more than the one before it. */
export interface ResultCounts {
  readonly created: number;
  /** Completed or failed; canceled ones are left out. */
  readonly finished: number;
  /** Those of them that led to a conversation, with any result. */
  readonly reachedPerson: number;
  /** Those of them that got what the call was for. */
  readonly goalReached: number;
}

export interface TaskCounts {
  readonly created: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Finished ones with an answer that a person should listen to. */
  readonly needsReview: number;
  /** Finished ones that leave something to do. */
  readonly needsFollowUp: number;
  /** Those that no call was made for yet. */
  readonly uncalled: OpenTasks;
  /** Those that were called at least once and are not decided. */
  readonly inProgress: OpenTasks;
}

/** Tasks that are not over, by what they wait for. */
export interface OpenTasks {
  readonly onTheTelephone: number;
  readonly waitingForLine: number;
  /** For their hours, or for the time of their next attempt. */
  readonly waitingForTime: number;
}

/** From the creation of a task to its completion; of completed tasks only. */
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
  /** From answer to hang-up, of all of them together. */
  readonly talkSeconds: number;
  /** Of these, on hold. */
  readonly holdSeconds: number;
  /** Calls that are over, by the hour of the day in which they were made, 0 to 23. */
  readonly byHour: readonly Readonly<Record<EndedStatus, number>>[];
}

export type EndedStatus = Exclude<CallStatus, 'IN_PROGRESS'>;
export const endedStatuses = CallStatus.options.filter((status) => status !== 'IN_PROGRESS');

export interface AnswerCounts {
  /**
   * Calls that are over, without those that were never placed and those that were canceled before anybody
   * answered.
   */
  readonly counted: number;
  /** Those of them that a person, a menu or a machine took. */
  readonly answered: number;
  /** Those of the answered ones that came to a mailbox. */
  readonly voicemail: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Where one part of the distribution of completion times ends and the next begins. */
export const completionLimitsMs = [
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  4 * hourMs,
  dayMs,
  3 * dayMs,
] as const;

/**
 * Counts what lies in the period; the order of tasks and calls does not matter.
 *
 * @param slots held by calls that have not ended, which are not listed
 */
export function summarise(
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

/** How far a task came, step by step: each step implies the one before it. */
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

/** How many tasks are not over. */
export function openCount({ onTheTelephone, waitingForLine, waitingForTime }: OpenTasks): number {
  return onTheTelephone + waitingForLine + waitingForTime;
}

export function completionTimes(tasks: readonly TaskFigures[]): CompletionTimes {
  const durationsMs = tasks
    .filter(({ status }) => status === 'COMPLETED')
    // A task that is over does not change any more, so its last change is its end.
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
 * The nearest-rank percentile: the smallest value that at least so many per cent of the values do not exceed. It is
 * always one of the values; null of none.
 *
 * @param ascending the values, the smallest first
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
    // A call that has ended has no status until its recording is there.
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

/** The hour that the clocks of a time zone show. An hour that comes twice, when they are put back, is one hour. */
function hourReader(timeZone: string): (at: string) => number {
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone });
  return (at) => Number(format.format(new Date(at)));
}

function countAnswers(calls: readonly CallProgress[]): AnswerCounts {
  const counted = calls.filter(tellsOfAnswering);
  return {
    counted: counted.length,
    answered: counted.filter(wasAnswered).length,
    voicemail: counted.filter(({ status }) => status === 'VOICEMAIL').length,
  };
}

/** A call that was never placed, or was canceled while it rang, could not be answered. */
function tellsOfAnswering(call: CallProgress): boolean {
  if (call.status === 'IN_PROGRESS' || call.submission === 'abandoned') return false;
  return call.status !== 'CANCELLED' || wasAnswered(call);
}

/**
 * Whether somebody or something took the call. To the carrier `completed` is a call that was answered and has ended
 * normally (Twilio's call status values); where its last word is lost, that the agent was on the line tells the same.
 */
export function wasAnswered({ status, carrier_progress, session_status }: CallProgress): boolean {
  return (
    status === 'SUCCESS' ||
    status === 'VOICEMAIL' ||
    carrier_progress === 'answered' ||
    carrier_progress === 'completed' ||
    session_status !== null
  );
}
