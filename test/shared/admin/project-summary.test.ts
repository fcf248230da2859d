import { describe, expect, test } from 'vitest';
import { completionLimitsMs, percentile, summarize } from '#shared/admin/project-summary.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { type CallProgress, TaskProgress } from '#shared/table/progress-list.ts';
import { sampleCall, sampleProject, sampleTask } from '../../support/sample-tasks.ts';

const period = {
  from: new Date('2026-03-01T00:00:00.000Z'),
  to: new Date('2026-03-08T00:00:00.000Z'),
  timeZone: 'UTC',
};
const within = '2026-03-02T15:00:00.000Z';

const task = (changes: Partial<Task> = {}): TaskProgress =>
  TaskProgress.parse(sampleTask(sampleProject(), { created_at: within, ...changes }));
const call = (changes: Partial<CallProgress> = {}): CallProgress => ({
  ...sampleCall(sampleTask(sampleProject()), { created_at: within }),
  ...changes,
});

/** A task that was completed this long after its creation. */
const completedAfter = (durationMs: number): TaskProgress =>
  task({ status: 'COMPLETED', updated_at: new Date(Date.parse(within) + durationMs).toISOString() });

const tasksOf = (tasks: readonly TaskProgress[]) => summarize(tasks, [], period).tasks;
const completionOf = (tasks: readonly TaskProgress[]) => summarize(tasks, [], period).completion;
const answersOf = (calls: readonly CallProgress[]) => summarize([], calls, period).answers;

describe('the summary of a project', () => {
  test('of no tasks counts nothing, and invents no times', () => {
    const { tasks, completion, calls, answers } = summarize([], [], period);
    expect(tasks).toMatchObject({ created: 0, completed: 0, failed: 0, cancelled: 0 });
    expect(completion).toMatchObject({ count: 0, medianMs: null, ninetiethPercentileMs: null });
    expect(completion.distribution).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(calls.underWay).toBe(0);
    expect(calls.byHour).toHaveLength(24);
    expect(answers).toEqual({ counted: 0, answered: 0, voicemail: 0 });
  });

  test('counts creations from the first moment of the period until just before its end', () => {
    const at = ['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00.000Z'];
    const till = ['2026-03-07T23:59:59.999Z', '2026-03-08T00:00:00.000Z'];
    const moments = [...at, ...till];
    const { tasks, calls } = summarize(
      moments.map((created_at) => task({ created_at })),
      moments.map((created_at) => call({ created_at })),
      period,
    );
    expect([tasks.created, calls.underWay]).toEqual([2, 2]);
  });

  test('puts every task into exactly one category', () => {
    const counts = tasksOf([
      task({ status: 'COMPLETED' }),
      task({ status: 'COMPLETED' }),
      task({ status: 'FAILED' }),
      task({ status: 'CANCELLED' }),
      task({ status: 'PENDING' }),
      task({ status: 'PENDING', waiting_for_line_since: within }),
      task({ status: 'IN_PROGRESS', current_call_id: uuidv7() }),
      task({ status: 'IN_PROGRESS', waiting_for_line_since: within }),
      task({ status: 'IN_PROGRESS' }),
    ]);
    expect(counts).toEqual({
      created: 9,
      completed: 2,
      failed: 1,
      cancelled: 1,
      needsReview: 0,
      needsFollowUp: 0,
      uncalled: { onTheTelephone: 0, waitingForLine: 1, waitingForTime: 1 },
      inProgress: { onTheTelephone: 1, waitingForLine: 1, waitingForTime: 1 },
    });
  });
});

describe('the time to completion', () => {
  test('covers only completed tasks', () => {
    const updated_at = '2026-03-05T15:00:00.000Z';
    const others = (['PENDING', 'IN_PROGRESS', 'FAILED', 'CANCELLED'] as const).map((status) =>
      task({ status, updated_at }),
    );
    expect(completionOf([...others, completedAfter(60_000)])).toMatchObject({ count: 1, medianMs: 60_000 });
  });

  test('has a 90th percentile from ten tasks on', () => {
    const minutes = (count: number) =>
      completionOf(Array.from({ length: count }, (_, index) => completedAfter((index + 1) * 60_000)));
    expect(minutes(9)).toMatchObject({ medianMs: 5 * 60_000, ninetiethPercentileMs: null });
    expect(minutes(10)).toMatchObject({ medianMs: 5 * 60_000, ninetiethPercentileMs: 9 * 60_000 });
  });

  test('does not depend on the order of the tasks', () => {
    const durations = [40, 10, 30, 20, 50].map((minutes) => completedAfter(minutes * 60_000));
    expect(completionOf(durations)).toEqual(completionOf(durations.toReversed()));
    expect(completionOf(durations).medianMs).toBe(30 * 60_000);
  });

  test('falls into one bucket each, a limit into the bucket that begins with it', () => {
    const durations = completionLimitsMs.flatMap((limitMs) => [limitMs - 1, limitMs]);
    expect(completionOf(durations.map(completedAfter)).distribution).toEqual([1, 2, 2, 2, 2, 2, 1]);
  });
});

describe('a percentile', () => {
  test.each([
    [[], 50, null],
    [[7], 50, 7],
    [[7], 90, 7],
    [[1, 2], 50, 1],
    [[1, 2, 3], 50, 2],
    [[5, 5, 5, 9], 50, 5],
    [[5, 5, 5, 9], 90, 9],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 90, 9],
  ])(
    'of %j at %d per cent is the smallest value that covers so many of them: %j',
    (values, perCent, expected) => {
      expect(percentile(values, perCent)).toBe(expected);
    },
  );
});

describe('calls by hour of day', () => {
  const hoursOf = (moments: readonly string[], timeZone: string): number[] => {
    const calls = moments.map((created_at) => call({ created_at, status: 'BUSY' }));
    const all = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2027-01-01T00:00:00Z'), timeZone };
    return summarize([], calls, all).calls.byHour.flatMap(({ BUSY }, hour) => Array<number>(BUSY).fill(hour));
  };

  test('are at the local hour of the time zone, in summer and winter', () => {
    const moments = ['2026-01-15T15:00:00Z', '2026-07-15T15:00:00Z'];
    expect(hoursOf(moments, 'UTC')).toEqual([15, 15]);
    expect(hoursOf(moments, 'America/New_York')).toEqual([10, 11]);
    expect(hoursOf(moments, 'Asia/Kolkata')).toEqual([20, 20]);
  });

  test('combine a repeated hour, and have none in a skipped hour', () => {
    // Clocks in New York go back at 06:00 UTC on November 1, and forward at 07:00 UTC on March 8.
    expect(hoursOf(['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'], 'America/New_York')).toEqual([1, 1]);
    expect(hoursOf(['2026-03-08T06:59:00Z', '2026-03-08T07:00:00Z'], 'America/New_York')).toEqual([1, 3]);
  });

  test('show midnight as hour 0', () => {
    expect(hoursOf(['2026-03-02T00:00:00Z', '2026-03-02T23:59:59Z'], 'UTC')).toEqual([0, 23]);
  });

  test('are counted by result, and separately while in progress', () => {
    const { byHour, underWay } = summarize(
      [],
      [call(), call({ status: 'SUCCESS' }), call({ status: 'SUCCESS' }), call({ status: 'VOICEMAIL' })],
      period,
      2,
    ).calls;
    expect(underWay).toBe(3);
    expect(byHour[15]).toEqual({ SUCCESS: 2, VOICEMAIL: 1, NO_ANSWER: 0, BUSY: 0, FAILED: 0, CANCELLED: 0 });
  });
});

describe('the answer rate', () => {
  test('counts a person, a menu and a machine as answers, even without a final callback', () => {
    const answered = [
      call({ status: 'SUCCESS', carrier_progress: 'completed' }),
      call({ status: 'SUCCESS', carrier_progress: 'ringing' }),
      call({ status: 'VOICEMAIL', carrier_progress: 'completed' }),
      call({ status: 'FAILED', carrier_progress: 'completed' }),
      call({ status: 'FAILED', carrier_progress: 'answered' }),
      call({ status: 'FAILED', carrier_progress: 'failed', session_status: 'failed' }),
      call({ status: 'CANCELLED', carrier_progress: 'completed' }),
    ];
    expect(answersOf(answered)).toEqual({ counted: 7, answered: 7, voicemail: 1 });
  });

  test('counts unanswered calls as not answered', () => {
    const unanswered = [
      call({ status: 'BUSY', carrier_progress: 'busy' }),
      call({ status: 'NO_ANSWER', carrier_progress: 'no_answer' }),
      call({ status: 'FAILED', carrier_progress: 'failed' }),
    ];
    expect(answersOf(unanswered)).toEqual({ counted: 3, answered: 0, voicemail: 0 });
  });

  test('omits calls without a chance to be answered, or still ringing', () => {
    const others = [
      call({ status: 'IN_PROGRESS', carrier_progress: 'answered' }),
      call({ status: 'FAILED', submission: 'abandoned' }),
      call({ status: 'CANCELLED', carrier_progress: 'canceled' }),
    ];
    expect(answersOf(others)).toEqual({ counted: 0, answered: 0, voicemail: 0 });
  });
});
