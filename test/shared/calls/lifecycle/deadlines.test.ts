import { describe, expect, test } from 'vitest';
import { callDeadline, nextDueAt, retryDueAt } from '#shared/calls/lifecycle/deadlines.ts';
import { isEnded } from '#shared/calls/lifecycle/reduce-call.ts';
import type { Call } from '#shared/domain/call.ts';
import { fetchDueAt, handoverDueAt } from '#shared/recordings/recording-due.ts';
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

/** Seconds from the claim to the next look at a call that is written the given time after its claim. */
function dueAfter(call: Call, seconds: number): number {
  return (Date.parse(nextDueAt(call, at(seconds)) ?? '') - claimedAtMs) / 1000;
}

describe('the next look at a call', () => {
  test('is when what it waits for is overdue', () => {
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

  test('stays where it is when it would hardly move', () => {
    const due = (call: Call, dueSeconds: number, seconds: number): number =>
      dueAfter({ ...call, due_at: at(dueSeconds).toISOString() }, seconds);
    const answered: Call = { ...submitted, carrier_progress: 'answered' };
    expect(due({ ...submitted, carrier_progress: 'ringing' }, 120, 5)).toBe(120);
    expect(due(answered, 310, 20)).toBe(310);
    expect(due(answered, 290, 20)).toBe(320);
    expect(due(ended, 60, 5)).toBe(60);
    // Not where it would come after the limit, or much too late for what is soon overdue.
    expect(due(answered, 45 + 4500 + 305, 4700)).toBe(45 + 4500 + 300);
    expect(due({ ...ended, recording: { ...ended.recording, status: 'stored' } }, 15, 0)).toBe(3);
    expect(due(answered, 15, 20)).toBe(320);
  });

  test('comes to the second when a call that the carrier does not know is given up', () => {
    const unknown: Call = { ...claimed, submission: 'unknown' };
    expect(retryDueAt(unknown, at(180))).toBe(at(270).toISOString());
    expect(retryDueAt(unknown, at(270))).toBe(at(300).toISOString());
    expect(retryDueAt(unknown, at(300))).toBe(at(450).toISOString());
  });

  test('is soon when only the last words are missing', () => {
    expect(dueAfter({ ...ended, recording: { ...ended.recording, status: 'stored' } }, 0)).toBe(3);
  });

  test('at a call whose recording is being fetched is put off until the fetching must have died', () => {
    const fetching = { ...ended, recording: { ...ended.recording, carrier_recording_sid: 'RE1' } };
    const due_at = fetchDueAt(fetching, at(10));
    expect(due_at).toBe(at(970).toISOString());
    expect(dueAfter({ ...fetching, due_at }, 20)).toBe(970);
    expect(dueAfter({ ...fetching, due_at }, 1000)).toBe(1300);
  });

  test('at a call whose recording somebody was sent for comes soon, in case the message was lost', () => {
    const found = { ...ended, recording: { ...ended.recording, carrier_recording_sid: 'RE1' } };
    expect(handoverDueAt(found, at(10))).toBe(at(130).toISOString());
    expect(handoverDueAt(ended, at(10))).toBe(nextDueAt(ended, at(10)));
  });

  test('is not put off by its recording when the call has yet to end', () => {
    const open: Call = {
      ...submitted,
      carrier_progress: 'answered',
      recording: { ...submitted.recording, carrier_recording_sid: 'RE1' },
    };
    const deadlineMs = callDeadline(open);
    expect(Date.parse(fetchDueAt(open, new Date(deadlineMs - 5_000)))).toBe(deadlineMs);
    const unwanted = { ...open, end_requested_at: sampleTime };
    expect(fetchDueAt(unwanted, at(30))).toBe(at(30).toISOString());
    expect(handoverDueAt(unwanted, at(30))).toBe(at(30).toISOString());
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

describe('a call that is completed', () => {
  const completed: Call = { ...ended, completed_at: sampleTime };
  const stored: Call = { ...completed, recording: { ...ended.recording, status: 'stored' } };
  const retainedUntil = at(30 * 24 * 60 * 60);
  const withRecording = (changes: Partial<Call['recording']>): Call => ({
    ...stored,
    recording: { ...stored.recording, ...changes },
  });

  test('waits for nothing more', () => {
    expect(nextDueAt(stored, at(0))).toBeNull();
    expect(nextDueAt(withRecording({ status: 'none' }), at(0))).toBeNull();
  });

  test('waits for the end of the time for which its recording is kept', () => {
    expect(nextDueAt(withRecording({ kept_until: retainedUntil.toISOString() }), at(0))).toBe(
      retainedUntil.toISOString(),
    );
  });

  test('waits for the carrier to forget its recording, which is done right away', () => {
    const kept = withRecording({ at_carrier: true, kept_until: retainedUntil.toISOString() });
    expect(dueAfter(kept, 0)).toBe(120);
    expect(dueAfter(withRecording({ at_carrier: true }), 0)).toBe(120);
  });

  test('waits for nothing once its recording was deleted', () => {
    expect(
      nextDueAt(withRecording({ status: 'none', kept_until: retainedUntil.toISOString() }), retainedUntil),
    ).toBeNull();
  });

  test('is looked at less and less often, but again and again, while a deletion does not succeed', () => {
    const kept = withRecording({ kept_until: retainedUntil.toISOString() });
    const waits = [1, 60, 3600, 24 * 3600, 30 * 24 * 3600].map((seconds) => {
      const now = new Date(retainedUntil.getTime() + seconds * 1000);
      return (Date.parse(nextDueAt(kept, now) ?? '') - now.getTime()) / 1000;
    });
    expect(waits).toEqual([5, 30, 1800, 6 * 3600, 6 * 3600]);
  });

  test('has a recording that turns up late fetched as soon as any other', () => {
    const late = withRecording({
      status: 'awaited',
      carrier_recording_sid: 'RE1',
      found_at: at(5000).toISOString(),
    });
    expect(dueAfter(late, 5000)).toBe(5005);
    expect(dueAfter(late, 5000 + 600)).toBe(5000 + 900);
  });
});

test('what is tried again is tried soon at first and less often later', () => {
  const waits = [0, 20, 60, 300, 7200].map(
    (seconds) => (Date.parse(retryDueAt(ended, at(seconds))) - at(seconds).getTime()) / 1000,
  );
  expect(waits).toEqual([5, 10, 30, 150, 300]);
});
