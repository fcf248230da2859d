import { describe, expect, test } from 'vitest';
import { callDeadline, nextDueAt, retryDueAt } from '#shared/calls/lifecycle/deadlines.ts';
import { isEnded } from '#shared/calls/lifecycle/reduce-call.ts';
import type { Call } from '#shared/domain/call.ts';
import { sampleCall, sampleProject, sampleTask, sampleTime } from '../../../support/sample-tasks.ts';

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

/** Seconds from the claim to the next check of a call that is written this long after its claim. */
function dueAfter(call: Call, seconds: number): number {
  return (Date.parse(nextDueAt(call, at(seconds)) ?? '') - claimedAtMs) / 1000;
}

describe('the next check of a call', () => {
  test('is when its next event is overdue', () => {
    expect(dueAfter(claimed, 0)).toBe(120);
    expect(dueAfter({ ...claimed, submission: 'unknown' }, 10)).toBe(15);
    expect(dueAfter({ ...submitted, carrier_progress: 'ringing' }, 5)).toBe(105);
    expect(dueAfter({ ...submitted, carrier_progress: 'answered' }, 20)).toBe(20 + 300);
    expect(dueAfter({ ...submitted, carrier_progress: 'answered' }, 4700)).toBe(45 + 4500 + 300);
    const short: Call = { ...submitted, carrier_progress: 'answered', max_talk_seconds: 600 };
    expect(dueAfter(short, 800)).toBe(45 + 600 + 300);
    expect(dueAfter({ ...submitted, carrier_progress: 'answered', session_status: 'ended' }, 200)).toBe(260);
    expect(dueAfter(ended, 0)).toBe(45);
  });

  test('stays where it is if it would hardly move', () => {
    const due = (call: Call, dueSeconds: number, seconds: number): number =>
      dueAfter({ ...call, due_at: at(dueSeconds).toISOString() }, seconds);
    const answered: Call = { ...submitted, carrier_progress: 'answered' };
    expect(due({ ...submitted, carrier_progress: 'ringing' }, 120, 5)).toBe(120);
    expect(due(answered, 310, 20)).toBe(310);
    expect(due(answered, 290, 20)).toBe(320);
    expect(due(ended, 60, 5)).toBe(60);
    // Not if it would be after the limit, or much too late for what is overdue soon.
    expect(due(answered, 45 + 4500 + 305, 4700)).toBe(45 + 4500 + 300);
    expect(due({ ...ended, recording: { ...ended.recording, status: 'stored' } }, 15, 0)).toBe(3);
    expect(due(answered, 15, 20)).toBe(320);
  });

  test('is exactly when a call unknown to the carrier is abandoned', () => {
    const unknown: Call = { ...claimed, submission: 'unknown' };
    expect(retryDueAt(unknown, at(180))).toBe(at(270).toISOString());
    expect(retryDueAt(unknown, at(270))).toBe(at(300).toISOString());
    expect(retryDueAt(unknown, at(300))).toBe(at(450).toISOString());
  });

  test('is soon if only the last words are missing', () => {
    expect(dueAfter({ ...ended, recording: { ...ended.recording, status: 'stored' } }, 0)).toBe(3);
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
  test.each(states)('of a call that is %s is in the future, and never after its deadline', (_, call) => {
    for (let seconds = 0; seconds < 5 * 60 * 60; seconds += 61) {
      const now = at(seconds).getTime();
      const dueAtMs = Date.parse(nextDueAt(call, at(seconds)) ?? '');
      expect(dueAtMs).toBeGreaterThan(now);
      // What follows the end of a call has its own limits.
      const deadlineMs = isEnded(call) ? 0 : callDeadline(call);
      expect(dueAtMs).toBeLessThanOrEqual(Math.max(deadlineMs, now + 5 * 60 * 1000));
      if (now < deadlineMs) expect(dueAtMs).toBeLessThanOrEqual(deadlineMs);
    }
  });
});

test('a completed call waits for nothing, whatever its recording waits for', () => {
  const completed: Call = { ...ended, completed_at: sampleTime, due_at: sampleTime };
  const recording = { ...ended.recording, status: 'stored' as const, due_at: sampleTime };
  expect(nextDueAt({ ...completed, recording }, at(0))).toBeNull();
});

test('retries are frequent at first and rarer later', () => {
  const waits = [0, 20, 60, 300, 7200].map(
    (seconds) => (Date.parse(retryDueAt(ended, at(seconds))) - at(seconds).getTime()) / 1000,
  );
  expect(waits).toEqual([5, 10, 30, 150, 300]);
});
