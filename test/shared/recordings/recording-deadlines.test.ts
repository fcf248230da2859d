import { describe, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import {
  held,
  isFetchLeased,
  leased,
  triedInVain,
  withRecordingDue,
} from '#shared/recordings/recording-deadlines.ts';
import { sampleCall, sampleProject, sampleTask, sampleTime } from '../../support/sample-tasks.ts';

const startMs = Date.parse(sampleTime);
const daySeconds = 24 * 60 * 60;
const completed = sampleCall(sampleTask(sampleProject()), { ended_at: sampleTime, completed_at: sampleTime });

function at(seconds: number): Date {
  return new Date(startMs + seconds * 1000);
}

function withRecording(changes: Partial<Call['recording']>, call: Call = completed): Call {
  return { ...call, recording: { ...call.recording, ...changes } };
}

/** Seconds from the end of the call. */
function dueSeconds({ recording }: Call): number | null {
  return recording.due_at === null ? null : (Date.parse(recording.due_at) - startMs) / 1000;
}

const kept_until = at(30 * daySeconds).toISOString();
const found = withRecording({ carrier_recording_sid: 'RE1', found_at: sampleTime });
const givenUp = withRecording({ status: 'none', carrier_recording_sid: 'RE1' });
const kept = withRecording({ status: 'stored', kept_until });

describe('a recording is due', () => {
  test.each<[string, Call, number | null]>([
    ['never while nothing is known of it: its call looks for it', completed, null],
    ['soon when it was found, in case the message was lost', found, 10 + 120],
    ['again and again for a day when it was given up', givenUp, 10 + 900],
    ['soon when the carrier has a copy', withRecording({ status: 'stored', at_carrier: true }), 10 + 120],
    [
      'soon when it has one of what we keep',
      withRecording({ ...kept.recording, at_carrier: true }),
      10 + 120,
    ],
    ['when it was kept long enough', kept, 30 * daySeconds],
    ['never when it is kept for good', withRecording({ status: 'stored' }), null],
    [
      'never once it was deleted',
      withRecording({ status: 'none', carrier_recording_sid: 'RE1', kept_until }),
      null,
    ],
    ['never when there is none', withRecording({ status: 'none' }), null],
  ])('%s', (_, call, seconds) => {
    expect(dueSeconds(withRecordingDue(call, at(10)))).toBe(seconds);
  });

  test('as before when its next work begins soon after', () => {
    const stored = {
      ...withRecordingDue(found, at(0)).recording,
      status: 'stored',
      at_carrier: true,
    } as const;
    expect(dueSeconds(withRecordingDue(withRecording(stored), at(60)))).toBe(120);
    expect(dueSeconds(withRecordingDue(withRecording(stored), at(61)))).toBe(61 + 120);
  });

  test('never again after a day of failures', () => {
    expect(dueSeconds(withRecordingDue(givenUp, at(daySeconds - 1)))).toBe(daySeconds - 1 + 900);
    expect(dueSeconds(withRecordingDue(givenUp, at(daySeconds)))).toBeNull();
  });
});

describe('a lease', () => {
  test('delays it until its worker must have died', () => {
    const fetching = leased(found, at(10));
    expect(dueSeconds(fetching)).toBe(970);
    expect(dueSeconds(withRecordingDue(fetching, at(900)))).toBe(970);
    expect(isFetchLeased(fetching.recording, at(969))).toBe(true);
    expect(isFetchLeased(fetching.recording, at(970))).toBe(false);
    expect(isFetchLeased(found.recording, at(10))).toBe(false);
  });

  test('leaves a later due time, and who comes then puts it off', () => {
    const fetching = leased(withRecordingDue(found, at(5)), at(10));
    expect(dueSeconds(fetching)).toBe(125);
    expect(dueSeconds(withRecordingDue(fetching, at(125)))).toBe(970);
    expect(dueSeconds(leased(withRecordingDue(found, at(5)), at(125)))).toBe(125 + 960);
  });

  test('ends with a failed attempt', () => {
    const failed = triedInVain(leased(found, at(10)), at(20));
    expect(isFetchLeased(failed.recording, at(20))).toBe(false);
    expect(dueSeconds(failed)).toBe(20 + 10);
  });
});

describe('a failure is retried', () => {
  const waits = (call: Call, fromSeconds: number, passed: readonly number[]): number[] =>
    passed.map((seconds) => {
      const now = at(fromSeconds + seconds);
      return (dueSeconds(triedInVain(call, now)) ?? Number.NaN) - fromSeconds - seconds;
    });

  test('soon at first and less often later during fetching', () => {
    expect(waits(found, 0, [0, 20, 300, 7200])).toEqual([5, 10, 150, 300]);
    const late = withRecording({ ...found.recording, found_at: at(5000).toISOString() });
    expect(waits(late, 5000, [0, 600])).toEqual([5, 300]);
    const open = { ...found, ended_at: null, completed_at: null };
    expect(waits(open, 0, [7200])).toEqual([5]);
  });

  test('less and less often, but indefinitely, until a deletion succeeds', () => {
    expect(waits(kept, 30 * daySeconds, [1, 60, 3600, daySeconds, 30 * daySeconds])).toEqual([
      5,
      30,
      1800,
      6 * 3600,
      6 * 3600,
    ]);
  });

  test('every quarter of an hour after it was abandoned', () => {
    expect(waits(givenUp, 0, [10, 7200])).toEqual([900, 900]);
  });

  test('six hours later under a legal hold', () => {
    expect(dueSeconds(held(kept, at(30 * daySeconds)))).toBe(30 * daySeconds + 6 * 3600);
  });
});
