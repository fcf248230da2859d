import { describe, expect, test } from 'vitest';
import type { CallConclusion } from '#shared/calls/lifecycle/conclude-call.ts';
import { concludeTask, type RedialRules } from '#shared/calls/lifecycle/conclude-task.ts';
import type { CallResult, ObstacleReason } from '#shared/domain/call-result.ts';
import type { Task } from '#shared/domain/task.ts';
import { needsReview } from '#shared/domain/task.ts';
import { sampleResult } from '../../../support/sample-tasks.ts';
import {
  alwaysOpen,
  busy,
  calling,
  ended,
  noAnswer,
  now,
  policy,
  talked,
  taskAfter,
  undecided,
} from './concluded-calls.ts';

describe('obstacles', () => {
  function hindered(
    reason: ObstacleReason,
    changes: Partial<CallResult> = {},
    callBackAt: string | null = null,
  ) {
    const obstacle = { reason, quote: 'These words.', turn: 3, call_back_at: callBackAt };
    const result = sampleResult({
      goal_reached: false,
      definite: false,
      ending: 'gave-up',
      obstacle,
      summary: `They said why: "${obstacle.quote}"`,
      ...changes,
    });
    return { ...talked, outcome: result.summary, result };
  }

  test.each(['needs_referral', 'portal_only', 'needs_member', 'not_accepting', 'waitlisted'] as const)(
    '%s: settles the task, and the number is not called again',
    (reason) => {
      for (const ending of ['gave-up', 'hung-up', 'call-again'] as const) {
        expect(taskAfter([hindered(reason, { ending })])).toMatchObject({
          status: 'COMPLETED',
          task_outcome: 'They said why: "These words."',
          next_attempt_at: null,
        });
      }
    },
  );

  test('no_ai: fails the task even after a mere hang-up', () => {
    expect(taskAfter([hindered('no_ai', { ending: 'hung-up' })])).toMatchObject({
      status: 'FAILED',
      task_outcome: 'They said why: "These words."',
      next_attempt_at: null,
    });
  });

  test.each(['withheld', 'member_not_found', 'wrong_department', 'no_availability'] as const)(
    '%s: is not called again before somebody has looked at it',
    (reason) => {
      const open = taskAfter([hindered(reason)]);
      expect(open).toMatchObject({ status: 'FAILED', next_attempt_at: null });
      expect(open.task_outcome).toMatch(
        /"These words\."\.? Find out why before calling this number again\.$/,
      );
      const declined = taskAfter([hindered(reason, { ending: 'declined', definite: true })]);
      expect(declined.status).toBe('COMPLETED');
      expect(declined.task_outcome).toMatch(/ Find out why before calling this number again\.$/);
      // No answer is uncertain.
      for (const { result, task_outcome } of [open, declined]) {
        expect([needsReview(result), task_outcome]).toEqual([false, expect.not.stringContaining('review')]);
      }
    },
  );

  test('not_verified: is retried once', () => {
    const unsure = hindered('not_verified');
    expect(taskAfter([unsure])).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: '2026-03-02T15:15:00.000Z',
    });
    const many = { ...policy, max_attempts: 9 };
    expect(taskAfter([unsure, busy], many).status).toBe('IN_PROGRESS');
    expect(taskAfter([unsure, busy, unsure], many)).toMatchObject({
      status: 'FAILED',
      next_attempt_at: null,
    });
  });

  test('are absent once overcome: a reached goal counts', () => {
    const result = sampleResult({ obstacle: hindered('withheld').result.obstacle });
    expect(taskAfter([{ ...talked, result }])).toMatchObject({
      status: 'COMPLETED',
      task_outcome: 'The practice opens at eight.',
    });
  });

  describe('call_back_at', () => {
    const zones = ['America/New_York'];
    const askedAt = (callBackAt: string | null, rules: Partial<RedialRules> = {}): Task => {
      const conclusion = hindered('call_back_at', { ending: 'call-again' }, callBackAt);
      const all = { policy, nextOpening: alwaysOpen, zones, ...rules };
      return concludeTask(calling(1), { conclusion, calls: [ended(conclusion)] }, all, now);
    };

    test('is redialed at the named time, by the local clock, and says so', () => {
      expect(askedAt('2026-03-03T14:00')).toMatchObject({
        status: 'IN_PROGRESS',
        next_attempt_at: '2026-03-03T19:00:00.000Z',
        next_attempt_reason: 'They said why: "These words." Attempt 2 of 3 scheduled at the requested time.',
      });
    });

    test('is in the afternoon of all possible time zones of the number', () => {
      const both = ['America/New_York', 'America/Los_Angeles'];
      expect(askedAt('2026-03-03T14:00', { zones: both }).next_attempt_at).toBe('2026-03-03T22:00:00.000Z');
    });

    test('is within calling hours, from the first minute of the named day', () => {
      const asked: Date[] = [];
      const opening = { at: new Date('2026-03-05T13:00:00.000Z'), reason: 'Outside the calling hours.' };
      const nextOpening = (from: Date) => {
        asked.push(from);
        return opening;
      };
      expect(askedAt('2026-03-05', { nextOpening })).toMatchObject({
        next_attempt_at: opening.at.toISOString(),
        next_attempt_reason:
          'They said why: "These words." Attempt 2 of 3 scheduled at the requested time. Outside the ' +
          'calling hours.',
      });
      expect(asked).toEqual([new Date('2026-03-05T05:00:00.000Z')]);
    });

    test.each([null, '2026-03-02T09:00', '2027-03-02T09:00', 'after lunch'])(
      'without a time to wait for (%s) waits as long as the policy says',
      (callBackAt) => {
        expect(askedAt(callBackAt)).toMatchObject({
          next_attempt_at: '2026-03-02T15:15:00.000Z',
          next_attempt_reason: 'They said why: "These words." Attempt 2 of 3 scheduled.',
        });
      },
    );

    test('has no more attempts than the policy allows', () => {
      expect(askedAt('2026-03-03T14:00', { policy: { ...policy, max_attempts: 1 } }).status).toBe('FAILED');
    });
  });
});

describe('findings of a single call', () => {
  const question = { key: 'question_0', question: 'When do you open?' };
  const answered = {
    ...question,
    answer: 'At eight',
    value: null,
    quote: 'We open at eight.',
    turn: 1,
    needs_review: false,
  };
  const open = {
    key: 'question_1',
    question: 'Where are you?',
    answer: null,
    value: null,
    quote: null,
    turn: null,
    needs_review: false,
  };
  const hungUp: CallConclusion = {
    ...talked,
    outcome: '1 of 2 questions answered.',
    result: {
      ...undecided,
      ending: 'hung-up',
      answers: [answered, open],
      summary: '1 of 2 questions answered.',
    },
  };
  const place = { ...open, answer: '12 Mill Road', quote: '12 Mill Road', turn: 3 };
  const rest: CallConclusion = {
    ...talked,
    outcome: 'They are at 12 Mill Road.',
    result: sampleResult({ answers: [place], summary: 'They are at 12 Mill Road.' }),
  };

  test('are kept while the task waits, when attempts run out, and when the number is abandoned', () => {
    const found = { answers: [{ key: 'question_0', answer: 'At eight', quote: 'We open at eight.' }, open] };
    expect(taskAfter([hungUp]).result).toEqual(hungUp.result);
    expect(taskAfter([hungUp, busy]).result).toMatchObject(found);
    expect(taskAfter([hungUp, busy, noAnswer])).toMatchObject({ status: 'FAILED', result: found });
    const unusable: CallConclusion = { ...busy, status: 'FAILED', isFutile: true };
    expect(taskAfter([hungUp, unusable])).toMatchObject({ status: 'FAILED', result: found });
  });

  test('complete those of a later call, which says so', () => {
    const task = taskAfter([hungUp, busy, rest]);
    expect(task).toMatchObject({
      status: 'COMPLETED',
      task_outcome: 'They are at 12 Mill Road. Learned in another call: When do you open? At eight.',
      result: { goal_reached: true, ending: 'finished' },
    });
    expect(task.result?.answers.map(({ answer }) => answer).sort()).toEqual(['12 Mill Road', 'At eight']);
  });

  test('are reported when attempts run out', () => {
    const later = { ...talked, result: { ...undecided, ending: 'hung-up' as const } };
    expect(taskAfter([hungUp, busy, later]).task_outcome).toBe(
      'No definite answer after 3 calls: hung up, busy, hung up. Last conversation: They will look it up. ' +
        'Learned in another call: When do you open? At eight.',
    );
  });
});
