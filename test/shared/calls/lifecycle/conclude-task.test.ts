import { describe, expect, test } from 'vitest';
import type { EndedCall } from '#shared/calls/lifecycle/combine-results.ts';
import type { CallConclusion } from '#shared/calls/lifecycle/conclude-call.ts';
import { concludeTask, type RedialRules } from '#shared/calls/lifecycle/conclude-task.ts';
import type { CallResult, ObstacleReason } from '#shared/domain/call-result.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { defaultRedialPolicy } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { sampleProject, sampleResult, sampleTask } from '../../../support/sample-tasks.ts';

const now = new Date('2026-03-02T15:10:00.000Z');
const policy = defaultRedialPolicy;
const busy: CallConclusion = {
  status: 'BUSY',
  outcome: 'The line was busy.',
  result: null,
  numberUnusable: false,
};
const noAnswer: CallConclusion = { ...busy, status: 'NO_ANSWER', outcome: 'Nobody answered.' };
const undecided = sampleResult({ goal_reached: false, definite: false, summary: 'They will look it up.' });
const talked: CallConclusion = { ...busy, status: 'SUCCESS', outcome: undecided.summary, result: undecided };

const voicemail: CallConclusion = {
  ...busy,
  status: 'VOICEMAIL',
  outcome: 'Reached voicemail.',
  result: sampleResult({
    goal_reached: false,
    definite: false,
    ending: 'voicemail',
    summary: 'Reached voicemail.',
  }),
};

function calling(attempts: number): Task {
  const callId = uuidv7();
  return sampleTask(sampleProject(), {
    status: 'IN_PROGRESS',
    attempts,
    current_call_id: callId,
    last_call_id: callId,
    next_attempt_at: null,
    next_attempt_reason: null,
  });
}

function ended({ status, outcome, result }: CallConclusion): EndedCall {
  return { id: uuidv7(), status, submission: 'submitted', call_outcome: outcome, result };
}

const alwaysOpen = (from: Date) => ({ at: from, reason: null });

/** The task after calls that came to these conclusions, the last one just now. */
function taskAfter(conclusions: readonly [...CallConclusion[], CallConclusion], redials = policy): Task {
  const [last] = conclusions.slice(-1);
  if (last === undefined) throw new Error('no call has ended');
  const rules = { policy: redials, nextOpening: alwaysOpen };
  return concludeTask(
    calling(conclusions.length),
    { conclusion: last, calls: conclusions.map(ended) },
    rules,
    now,
  );
}

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
  ])('the task is completed with what came out', (result) => {
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

describe('nobody was reached', () => {
  test('the task waits as long as the policy says and says why', () => {
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

  test('the last delay serves for all further attempts, and without any the next one is at once', () => {
    const many = { ...policy, max_attempts: 9 };
    expect(taskAfter([busy, busy, busy, busy, busy, busy, busy], many).next_attempt_at).toBe(
      '2026-03-02T15:40:00.000Z',
    );
    const none = { ...policy, max_attempts: 9, delays_seconds: [] };
    expect(taskAfter([busy], none).next_attempt_at).toBe(now.toISOString());
  });

  test('after the last attempt the task has failed and tells the whole story', () => {
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

describe('a call that died on its way to the carrier', () => {
  const lost: CallConclusion = { ...busy, status: 'FAILED', outcome: 'The call was not placed.' };
  const never = { ...ended(lost), submission: 'abandoned' } as const;
  const rules = {
    policy: { ...policy, max_attempts: 1, redialled_results: [] },
    nextOpening: alwaysOpen,
  };

  test('is no attempt: the task is called all the same, whatever its policy', () => {
    expect(concludeTask(calling(1), { conclusion: lost, calls: [never] }, rules, now)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: '2026-03-02T15:15:00.000Z',
      next_attempt_reason: 'The call was not placed. Attempt 1 of 1 scheduled.',
    });
    expect(
      concludeTask(calling(2), { conclusion: busy, calls: [never, ended(busy)] }, rules, now).status,
    ).toBe('FAILED');
  });

  test('is not repeated for ever', () => {
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
  test('the next attempt is within them as soon as it is planned, and says why it is so late', () => {
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
        'The line was busy. Attempt 2 of 3 scheduled. Outside the calling hours of the number called (08:00-21:00 in America/New_York).',
    });
    expect(asked).toEqual([new Date('2026-03-02T15:15:00.000Z')]);
  });

  test('a task for which they never come again fails', () => {
    const rules = { policy, nextOpening: () => null };
    expect(concludeTask(calling(1), { conclusion: busy, calls: [ended(busy)] }, rules, now)).toMatchObject({
      status: 'FAILED',
      task_outcome: 'Not reached after 1 call: busy. No time at which the number may be called again comes.',
      next_attempt_at: null,
    });
  });
});

describe('a result after which the project does not call again', () => {
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
    expect(stopped.task_outcome).toMatch(/1 call: .*\. The project does not call again after such a call\.$/);
    expect(taskAfter([conclusion], { ...policy, redialled_results: [status] })).toMatchObject({
      status: 'IN_PROGRESS',
      task_outcome: null,
    });
  });

  test('does not keep a decided task from being completed', () => {
    const decided = { ...talked, result: sampleResult() };
    expect(taskAfter([decided], { ...policy, redialled_results: [] })).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a machine that takes messages', () => {
  test('is called again like a number that does not answer', () => {
    expect(taskAfter([voicemail])).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: '2026-03-02T15:15:00.000Z',
      next_attempt_reason: 'Reached voicemail. Attempt 2 of 3 scheduled.',
    });
  });

  test('is nobody reached, when the attempts are used up', () => {
    expect(taskAfter([voicemail, voicemail, noAnswer])).toMatchObject({
      status: 'FAILED',
      task_outcome: 'Not reached after 3 calls: voicemail, voicemail, no answer.',
      result: voicemail.result,
    });
  });

  test('does not hide the conversation of an earlier call', () => {
    expect(taskAfter([talked, busy, voicemail])).toMatchObject({
      status: 'FAILED',
      task_outcome:
        'No definite answer after 3 calls: no definite answer, busy, voicemail. Last conversation: They will look it up.',
      result: undecided,
    });
  });
});

describe('a conversation that ended without us', () => {
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

describe('a conversation without a decision', () => {
  test('is tried again', () => {
    expect(taskAfter([talked])).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_reason: 'They will look it up. Attempt 2 of 3 scheduled.',
      task_outcome: null,
      result: undecided,
    });
  });

  test('stays known when the attempts are used up, even if the last call reached nobody', () => {
    expect(taskAfter([busy, talked, noAnswer])).toMatchObject({
      status: 'FAILED',
      task_outcome:
        'No definite answer after 3 calls: busy, no definite answer, no answer. Last conversation: They will look it up.',
      result: undecided,
    });
  });
});

test('an unusable number ends the task at the first attempt', () => {
  const unusable: CallConclusion = {
    ...busy,
    status: 'FAILED',
    outcome: 'The number is not in service.',
    numberUnusable: true,
  };
  expect(taskAfter([unusable])).toMatchObject({
    status: 'FAILED',
    task_outcome: 'The number is not in service. No further calls are made.',
    next_attempt_at: null,
  });
});

describe('what stood in the way', () => {
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

  test('no_ai: fails the task even when they only hung up', () => {
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
        /"These words\."\. Needs review|"These words\." +Needs review before/,
      );
      const declined = taskAfter([hindered(reason, { ending: 'declined', definite: true })]);
      expect(declined.status).toBe('COMPLETED');
      expect(declined.task_outcome).toMatch(/Needs review before the number is called again\.$/);
    },
  );

  test('not_verified: is tried once more, and not again', () => {
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

  test('nothing that was overcome: a goal that was reached is one', () => {
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

    test('is called at the time that was named, by the clock of the place, and says so', () => {
      expect(askedAt('2026-03-03T14:00')).toMatchObject({
        status: 'IN_PROGRESS',
        next_attempt_at: '2026-03-03T19:00:00.000Z',
        next_attempt_reason:
          'They said why: "These words." Attempt 2 of 3 scheduled at the time that they named.',
      });
    });

    test('is in the afternoon of all time zones in which the number may be', () => {
      const both = ['America/New_York', 'America/Los_Angeles'];
      expect(askedAt('2026-03-03T14:00', { zones: both }).next_attempt_at).toBe('2026-03-03T22:00:00.000Z');
    });

    test('is within the calling hours, from the first minute of a day that was named', () => {
      const asked: Date[] = [];
      const opening = { at: new Date('2026-03-05T13:00:00.000Z'), reason: 'Outside the calling hours.' };
      const nextOpening = (from: Date) => {
        asked.push(from);
        return opening;
      };
      expect(askedAt('2026-03-05', { nextOpening })).toMatchObject({
        next_attempt_at: opening.at.toISOString(),
        next_attempt_reason:
          'They said why: "These words." Attempt 2 of 3 scheduled at the time that they named. Outside the calling hours.',
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

describe('what one call found out and another did not', () => {
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

  test('is kept while the task waits, when the attempts are used up, and when the number is given up', () => {
    const found = { answers: [{ key: 'question_0', answer: 'At eight', quote: 'We open at eight.' }, open] };
    expect(taskAfter([hungUp]).result).toEqual(hungUp.result);
    expect(taskAfter([hungUp, busy]).result).toMatchObject(found);
    expect(taskAfter([hungUp, busy, noAnswer])).toMatchObject({ status: 'FAILED', result: found });
    const unusable: CallConclusion = { ...busy, status: 'FAILED', numberUnusable: true };
    expect(taskAfter([hungUp, unusable])).toMatchObject({ status: 'FAILED', result: found });
  });

  test('completes what a later call found out, and says so', () => {
    const task = taskAfter([hungUp, busy, rest]);
    expect(task).toMatchObject({
      status: 'COMPLETED',
      task_outcome: 'They are at 12 Mill Road. Found out in another call: When do you open? At eight.',
      result: { goal_reached: true, ending: 'finished' },
    });
    expect(task.result?.answers.map(({ answer }) => answer).sort()).toEqual(['12 Mill Road', 'At eight']);
  });

  test('is told as well when the attempts are used up', () => {
    const later = { ...talked, result: { ...undecided, ending: 'hung-up' as const } };
    expect(taskAfter([hungUp, busy, later]).task_outcome).toBe(
      'No definite answer after 3 calls: hung up, busy, hung up. Last conversation: They will look it up. Found out in another call: When do you open? At eight.',
    );
  });
});
