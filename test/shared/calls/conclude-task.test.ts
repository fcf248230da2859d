import { describe, expect, test } from 'vitest';
import type { CallConclusion } from '#shared/calls/conclude-call.ts';
import { concludeTask, type EarlierCall } from '#shared/calls/conclude-task.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { sampleProject, sampleResult, sampleTask } from '../../support/sample-tasks.ts';

const now = new Date('2026-03-02T15:10:00.000Z');
const policy = { max_attempts: 3, delays_seconds: [300, 1800] };
const busy: CallConclusion = {
  status: 'BUSY',
  outcome: 'The line was busy.',
  result: null,
  numberUnusable: false,
};
const noAnswer: CallConclusion = { ...busy, status: 'NO_ANSWER', outcome: 'Nobody answered.' };
const undecided = sampleResult({ goal_reached: false, definite: false, summary: 'They will look it up.' });
const talked: CallConclusion = { ...busy, status: 'SUCCESS', outcome: undecided.summary, result: undecided };

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

function earlier({ status, outcome, result }: CallConclusion): EarlierCall {
  return { status, call_outcome: outcome, result };
}

describe('the conversation decided', () => {
  test.each([
    sampleResult(),
    sampleResult({ goal_reached: false, summary: 'They do not take new patients.' }),
  ])('the task is completed with what came out', (result) => {
    const conclusion = { ...busy, status: 'SUCCESS' as const, outcome: result.summary, result };
    expect(concludeTask(calling(1), conclusion, [], policy, now)).toMatchObject({
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
    expect(concludeTask(first, busy, [], policy, now)).toEqual({
      ...first,
      current_call_id: null,
      next_attempt_at: '2026-03-02T15:15:00.000Z',
      next_attempt_reason: 'The line was busy. Attempt 2 of 3 follows.',
      updated_at: now.toISOString(),
    });
    expect(concludeTask(calling(2), noAnswer, [earlier(busy)], policy, now)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: '2026-03-02T15:40:00.000Z',
    });
  });

  test('the last delay serves for all further attempts, and without any the next one is at once', () => {
    const many = { max_attempts: 9, delays_seconds: [300, 1800] };
    expect(concludeTask(calling(7), busy, [], many, now).next_attempt_at).toBe('2026-03-02T15:40:00.000Z');
    const none = { max_attempts: 9, delays_seconds: [] };
    expect(concludeTask(calling(1), busy, [], none, now).next_attempt_at).toBe(now.toISOString());
  });

  test('after the last attempt the task has failed and tells the whole story', () => {
    const task = concludeTask(calling(3), noAnswer, [earlier(busy), earlier(busy)], policy, now);
    expect(task).toMatchObject({
      status: 'FAILED',
      task_outcome: 'Not reached after 3 calls: busy, busy, no answer.',
      result: null,
      current_call_id: null,
      next_attempt_at: null,
    });
  });

  test('a failure is explained', () => {
    const failed: CallConclusion = { ...busy, status: 'FAILED', outcome: 'The call could not be connected.' };
    expect(concludeTask(calling(1), failed, [], { ...policy, max_attempts: 1 }, now).task_outcome).toBe(
      'Not reached after 1 call: failed. The call could not be connected.',
    );
  });
});

describe('a conversation without a decision', () => {
  test('is tried again', () => {
    expect(concludeTask(calling(1), talked, [], policy, now)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_reason: 'They will look it up. Attempt 2 of 3 follows.',
      task_outcome: null,
    });
  });

  test('stays known when the attempts are used up, even if the last call reached nobody', () => {
    const task = concludeTask(calling(3), noAnswer, [earlier(busy), earlier(talked)], policy, now);
    expect(task).toMatchObject({
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
  expect(concludeTask(calling(1), unusable, [], policy, now)).toMatchObject({
    status: 'FAILED',
    task_outcome: 'The number is not in service. No further calls are made.',
    next_attempt_at: null,
  });
});
