import { describe, expect, test } from 'vitest';
import { callDeadline, fetchDueAt, nextDueAt, retryDueAt } from '#shared/calls/deadlines.ts';
import { isEnded } from '#shared/calls/reduce-call.ts';
import type { Call } from '#shared/domain/call.ts';
import { sampleCall, sampleProject, sampleTask, sampleTime } from '../../support/sample-tasks.ts';

const claimedAtMs = Date.parse(sampleTime);
const claimed = sampleCall(sampleTask(sampleProject()));
const sid = `CA${'0'.repeat(31)}a`;
const submitted: Call = { ...claimed, submission: 'submitted', carrier_call_sid: sid };
const ended: Call = {
  ...submitted,
  carrier_progress: 'completed',
  closed_by: 'carrier',
  ended_at: sampleTime,
};

function at(seconds: number): Date {
  return new Date(claimedAtMs + seconds * 1000);
}

/** Seconds from the claim to the next look at a call that is written the given time after its claim. */
function dueAfter(call: Call, seconds: number): number {
  return (Date.parse(nextDueAt(call, at(seconds)) ?? '') - claimedAtMs) / 1000;
}

describe('the next look at a call', () => {
  test('is when what it waits for is overdue', () => {
    expect(dueAfter(claimed, 0)).toBe(360);
    expect(dueAfter({ ...claimed, submission: 'unknown' }, 10)).toBe(15);
    expect(dueAfter({ ...submitted, carrier_progress: 'ringing' }, 5)).toBe(105);
    expect(dueAfter({ ...submitted, carrier_progress: 'answered' }, 20)).toBe(45 + 3600 + 300);
    expect(dueAfter({ ...submitted, carrier_progress: 'answered', session_status: 'ended' }, 200)).toBe(260);
    expect(dueAfter(ended, 0)).toBe(45);
  });

  test('is soon when only the last words are missing', () => {
    expect(dueAfter({ ...ended, recording: { ...ended.recording, status: 'stored' } }, 0)).toBe(3);
  });

  test('at a call whose recording is being fetched is put off until the fetching must have died', () => {
    const fetching = { ...ended, recording: { ...ended.recording, carrier_recording_sid: 'RE1' } };
    const due_at = fetchDueAt(fetching, at(10));
    expect(due_at).toBe(at(310).toISOString());
    expect(dueAfter({ ...fetching, due_at }, 20)).toBe(310);
    expect(dueAfter({ ...fetching, due_at }, 400)).toBe(600);
  });

  test('never comes for a call that is completed', () => {
    expect(nextDueAt({ ...ended, completed_at: sampleTime }, at(0))).toBeNull();
  });

  const states: [string, Call][] = [
    ['claimed', claimed],
    ['unknown', { ...claimed, submission: 'unknown' }],
    ['ringing', { ...submitted, carrier_progress: 'ringing' }],
    ['answered', { ...submitted, carrier_progress: 'answered' }],
    ['session over', { ...submitted, session_status: 'completed' }],
    ['ended', ended],
    ['without recording', { ...ended, recording: { ...ended.recording, status: 'none' } }],
  ];
  test.each(states)('of a call that is %s is always ahead, and never later than its deadline', (_, call) => {
    for (let seconds = 0; seconds < 5 * 60 * 60; seconds += 61) {
      const now = at(seconds).getTime();
      const dueAtMs = Date.parse(nextDueAt(call, at(seconds)) ?? '');
      expect(dueAtMs).toBeGreaterThan(now);
      // What follows the end of a call has limits of its own.
      const deadlineMs = isEnded(call) ? 0 : callDeadline(call);
      expect(dueAtMs).toBeLessThanOrEqual(Math.max(deadlineMs, now + 5 * 60 * 1000));
      if (now < deadlineMs) expect(dueAtMs).toBeLessThanOrEqual(deadlineMs);
    }
  });
});

test('what is tried again is tried soon at first and less often later', () => {
  const waits = [0, 20, 60, 300, 7200].map(
    (seconds) => (Date.parse(retryDueAt(ended, at(seconds))) - at(seconds).getTime()) / 1000,
  );
  expect(waits).toEqual([5, 10, 30, 150, 300]);
});
