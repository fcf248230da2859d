import { describe, expect, test } from 'vitest';
import type { CallConclusion } from '#shared/calls/lifecycle/conclude-call.ts';
import { concludeTask } from '#shared/calls/lifecycle/conclude-task.ts';
import { sampleResult } from '../../../support/sample-tasks.ts';
import {
  alwaysOpen,
  busy,
  calling,
  ended,
  noAnswer,
  now,
  policy,
  silent,
  talked,
  taskAfter,
  undecided,
  voicemail,
} from './concluded-calls.ts';

describe('the conversation decided', () => {
  test.each(['refused', 'opted-out', 'wrong-number'] as const)(
    'a task that was turned away (%s) fails, and is not called again',
    (ending) => {
      const result = sampleResult({ goal_reached: false, ending, summary: 'They did not want to talk.' });
      expect(taskAfter([{ ...talked, outcome: result.summary, result }])).toMatchObject({
        status: 'FAILED',
        task_outcome: 'They did not want to talk.',
        next_attempt_at: null,
      });
    },
  );

  test.each([
    sampleResult(),
    sampleResult({ goal_reached: false, summary: 'They do not take new patients.' }),
  ])('the task is completed with the outcome', (result) => {
    const conclusion = { ...busy, status: 'SUCCESS' as const, outcome: result.summary, result };
    expect(taskAfter([conclusion])).toMatchObject({
      status: 'COMPLETED',
      task_outcome: result.summary,
      result,
      current_call_id: null,
      next_attempt_at: null,
      next_attempt_reason: null,
      updated_at: now.toISOString(),
    });
  });
});

describe('the call was not answered', () => {
  test('the task waits as the policy says, with the reason', () => {
    const first = calling(1);
    const rules = { policy, nextOpening: alwaysOpen };
    expect(concludeTask(first, { conclusion: busy, calls: [ended(busy)] }, rules, now)).toEqual({
      ...first,
      current_call_id: null,
      next_attempt_at: '2026-03-02T15:15:00.000Z',
      next_attempt_reason: 'The line was busy. Attempt 2 of 3 scheduled.',
      updated_at: now.toISOString(),
    });
    expect(taskAfter([busy, noAnswer])).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: '2026-03-02T15:40:00.000Z',
    });
  });

  test('the last delay applies to all further attempts; without delays the next is immediate', () => {
    const many = { ...policy, max_attempts: 9 };
    expect(taskAfter([busy, busy, busy, busy, busy, busy, busy], many).next_attempt_at).toBe(
      '2026-03-02T15:40:00.000Z',
    );
    const none = { ...policy, max_attempts: 9, delays_seconds: [] };
    expect(taskAfter([busy], none).next_attempt_at).toBe(now.toISOString());
  });

  test('after the last attempt the task fails with the whole story', () => {
    expect(taskAfter([busy, busy, noAnswer])).toMatchObject({
      status: 'FAILED',
      task_outcome: 'Not reached after 3 calls: busy, busy, no answer.',
      result: null,
      current_call_id: null,
      next_attempt_at: null,
    });
  });

  test('a failure is explained', () => {
    const failed: CallConclusion = { ...busy, status: 'FAILED', outcome: 'The call could not be connected.' };
    expect(taskAfter([failed], { ...policy, max_attempts: 1 }).task_outcome).toBe(
      'Not reached after 1 call: failed. The call could not be connected.',
    );
  });
});

describe('a call that died before the carrier', () => {
  const lost: CallConclusion = { ...busy, status: 'FAILED', outcome: 'The call was not placed.' };
  const never = { ...ended(lost), submission: 'abandoned' } as const;
  const rules = {
    policy: { ...policy, max_attempts: 1, redialled_results: [] },
    nextOpening: alwaysOpen,
  };

  test('does not count as an attempt: the task is called again, whatever its policy', () => {
    expect(concludeTask(calling(1), { conclusion: lost, calls: [never] }, rules, now)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: '2026-03-02T15:15:00.000Z',
      next_attempt_reason: 'The call was not placed. Attempt 1 of 1 scheduled.',
    });
    expect(
      concludeTask(calling(2), { conclusion: busy, calls: [never, ended(busy)] }, rules, now).status,
    ).toBe('FAILED');
  });

  test('is not repeated forever', () => {
    const task = concludeTask(
      calling(5),
      { conclusion: lost, calls: [never, never, never, never, never] },
      rules,
      now,
    );
    expect(task).toMatchObject({ status: 'FAILED', next_attempt_at: null });
    expect(task.task_outcome).toContain('The call was not placed.');
  });
});

describe('calling hours', () => {
  test('include the next attempt when it is planned, with the reason for the delay', () => {
    const opening = {
      at: new Date('2026-03-03T13:00:00.000Z'),
      reason: 'Outside the calling hours of the number called (08:00-21:00 in America/New_York).',
    };
    const asked: Date[] = [];
    const nextOpening = (from: Date) => {
      asked.push(from);
      return opening;
    };
    expect(
      concludeTask(calling(1), { conclusion: busy, calls: [ended(busy)] }, { policy, nextOpening }, now),
    ).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: '2026-03-03T13:00:00.000Z',
      next_attempt_reason:
        'The line was busy. Attempt 2 of 3 scheduled. Outside the calling hours of the number called ' +
        '(08:00-21:00 in America/New_York).',
    });
    expect(asked).toEqual([new Date('2026-03-02T15:15:00.000Z')]);
  });

  test('fail a task if they never come again', () => {
    const rules = { policy, nextOpening: () => null };
    expect(concludeTask(calling(1), { conclusion: busy, calls: [ended(busy)] }, rules, now)).toMatchObject({
      status: 'FAILED',
      task_outcome:
        'Not reached after 1 call: busy. The number may never be called again within its calling hours.',
      next_attempt_at: null,
    });
  });
});

describe('a result without a redial', () => {
  const cancelled: CallConclusion = { ...busy, status: 'CANCELLED', outcome: 'The call was cancelled.' };
  const failed: CallConclusion = { ...busy, status: 'FAILED', outcome: 'The call could not be connected.' };

  test.each([
    ['BUSY', busy],
    ['NO_ANSWER', noAnswer],
    ['VOICEMAIL', voicemail],
    ['FAILED', failed],
    ['CANCELLED', cancelled],
    ['SUCCESS', talked],
  ] as const)('%s: fails the task and says so, and only this one does', (status, conclusion) => {
    const others = policy.redialled_results.filter((result) => result !== status);
    const strict = { ...policy, redialled_results: others };
    const stopped = taskAfter([conclusion], strict);
    expect(stopped).toMatchObject({ status: 'FAILED', next_attempt_at: null, next_attempt_reason: null });
    expect(stopped.task_outcome).toMatch(/1 call: .*\. The project does not redial after such a call\.$/);
    expect(taskAfter([conclusion], { ...policy, redialled_results: [status] })).toMatchObject({
      status: 'IN_PROGRESS',
      task_outcome: null,
    });
  });

  test('does not block the completion of a decided task', () => {
    const decided = { ...talked, result: sampleResult() };
    expect(taskAfter([decided], { ...policy, redialled_results: [] })).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a machine that takes messages', () => {
  test('is redialed like an unanswered number', () => {
    expect(taskAfter([voicemail])).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: '2026-03-02T15:15:00.000Z',
      next_attempt_reason: 'Reached voicemail. Attempt 2 of 3 scheduled.',
    });
  });

  test('counts as unanswered when attempts run out', () => {
    expect(taskAfter([voicemail, voicemail, noAnswer])).toMatchObject({
      status: 'FAILED',
      task_outcome: 'Not reached after 3 calls: voicemail, voicemail, no answer.',
      result: voicemail.result,
    });
  });

  test('a silent line counts as unanswered, and is redialed', () => {
    expect(taskAfter([silent])).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_reason: 'The call was answered, but nobody spoke. Attempt 2 of 3 scheduled.',
    });
    expect(taskAfter([voicemail, noAnswer, silent])).toMatchObject({
      status: 'FAILED',
      task_outcome:
        'Not reached after 3 calls: voicemail, no answer, nobody spoke. The call was answered, but nobody spoke.',
    });
  });

  test('does not hide the conversation of an earlier call', () => {
    expect(taskAfter([talked, busy, voicemail])).toMatchObject({
      status: 'FAILED',
      task_outcome:
        'No definite answer after 3 calls: no definite answer, busy, voicemail. Last conversation: They ' +
        'will look it up.',
      result: undecided,
    });
  });
});

describe('a conversation that the person ended', () => {
  test.each([
    ['hung-up', 'hung up'],
    ['call-again', 'asked to call again'],
    ['gave-up', 'no definite answer'],
  ] as const)('%s: the task tells of it as "%s"', (ending, name) => {
    const conclusion = { ...talked, result: { ...undecided, ending } };
    expect(taskAfter([conclusion, noAnswer, busy]).task_outcome).toContain(
      `3 calls: ${name}, no answer, busy.`,
    );
  });
});

describe('an undecided conversation', () => {
  test('is retried', () => {
    expect(taskAfter([talked])).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_reason: 'They will look it up. Attempt 2 of 3 scheduled.',
      task_outcome: null,
      result: undecided,
    });
  });

  test('stays known when attempts run out, even if the last call was unanswered', () => {
    expect(taskAfter([busy, talked, noAnswer])).toMatchObject({
      status: 'FAILED',
      task_outcome:
        'No definite answer after 3 calls: busy, no definite answer, no answer. Last conversation: They ' +
        'will look it up.',
      result: undecided,
    });
  });
});

test('an unusable number ends the task at the first attempt', () => {
  const unusable: CallConclusion = {
    ...busy,
    status: 'FAILED',
    outcome: 'The number is not in service.',
    isFutile: true,
  };
  expect(taskAfter([unusable])).toMatchObject({
    status: 'FAILED',
    task_outcome: 'The number is not in service. No further calls are made.',
    next_attempt_at: null,
  });
});
