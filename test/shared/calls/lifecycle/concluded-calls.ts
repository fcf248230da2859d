import type { EndedCall } from '#shared/calls/lifecycle/combine-results.ts';
import type { CallConclusion } from '#shared/calls/lifecycle/conclude-call.ts';
import { concludeTask } from '#shared/calls/lifecycle/conclude-task.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { defaultRedialPolicy } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { sampleProject, sampleResult, sampleTask } from '../../../support/sample-tasks.ts';

export const now = new Date('2026-03-02T15:10:00.000Z');
export const policy = defaultRedialPolicy;
export const busy: CallConclusion = {
  status: 'BUSY',
  outcome: 'The line was busy.',
  result: null,
  isFutile: false,
};
export const noAnswer: CallConclusion = { ...busy, status: 'NO_ANSWER', outcome: 'Nobody answered.' };
export const undecided = sampleResult({
  goal_reached: false,
  definite: false,
  summary: 'They will look it up.',
});
export const talked: CallConclusion = {
  ...busy,
  status: 'SUCCESS',
  outcome: undecided.summary,
  result: undecided,
};

export const voicemail: CallConclusion = {
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

export const silent: CallConclusion = {
  ...busy,
  status: 'FAILED',
  outcome: 'The call was answered, but nobody spoke.',
  result: sampleResult({
    goal_reached: false,
    definite: false,
    ending: 'no-speech',
    summary: 'The call was answered, but nobody spoke.',
  }),
};

export function calling(attempts: number): Task {
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

export function ended({ status, outcome, result }: CallConclusion): EndedCall {
  return { id: uuidv7(), status, submission: 'submitted', call_outcome: outcome, result };
}

export const alwaysOpen = (from: Date) => ({ at: from, reason: null });

/** The task after calls with these results, the last one just now. */
export function taskAfter(
  conclusions: readonly [...CallConclusion[], CallConclusion],
  redials = policy,
): Task {
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
