import { describe, expect, test } from 'vitest';
import { type CallEvent, isEnded, reduceCall } from '#shared/calls/lifecycle/reduce-call.ts';
import type { Call, CarrierProgress } from '#shared/domain/call.ts';
import type { CarrierEvent } from '#shared/domain/carrier-event.ts';
import {
  type ProgressDetails,
  progressReport,
  type RecordingStatus,
  recordingReport,
  sessionEndReport,
} from '../../../support/carrier-reports.ts';
import { sampleCall, sampleProject, sampleTask, sampleTime } from '../../../support/sample-tasks.ts';

const now = new Date(sampleTime);
const sid = `CA${'0'.repeat(31)}a`;
const recordingSid = `RE${'0'.repeat(31)}b`;
const claimed = sampleCall(sampleTask(sampleProject()));
const submitted: CallEvent = { type: 'submitted', carrier_call_sid: sid, progress: 'queued' };

const progress = (name: CarrierProgress, sequence: number, details?: ProgressDetails): CarrierEvent =>
  progressReport(sid, name, sequence, details);

const recording = (status: RecordingStatus, recording_sid = recordingSid): CarrierEvent =>
  recordingReport(sid, recording_sid, status);

const machine: CarrierEvent = { type: 'answered-by', carrier_call_sid: sid, answered_by: 'machine' };

const sessionEnded = sessionEndReport(sid);

function run(events: readonly CallEvent[], start: Call = claimed): Call {
  return events.reduce((call, event) => reduceCall(call, event, now), start);
}

function* permutations<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield [];
  for (const [position, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(position, 1))) yield [item, ...rest];
  }
}

/** Small and seeded, so that a failure can be repeated. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const stories: Record<string, CallEvent[]> = {
  'a conversation with its recording': [
    submitted,
    progress('initiated', 0),
    progress('ringing', 1),
    progress('answered', 2),
    machine,
    sessionEnded,
    progress('completed', 3, { talk_seconds: 41 }),
    recording('completed'),
  ],
  'a busy line': [submitted, progress('initiated', 0), progress('busy', 1, { sip_response_code: '486' })],
  'nobody answers': [
    submitted,
    progress('initiated', 0),
    progress('ringing', 1),
    progress('no_answer', 2, { sip_response_code: '487', talk_seconds: 0 }),
  ],
  'two different ends': [
    submitted,
    progress('answered', 2),
    progress('completed', 3, { talk_seconds: 5 }),
    progress('failed', 4, { talk_seconds: 5 }),
  ],
  'a lost answer to the submission': [
    { type: 'submission-lost' },
    progress('ringing', 1),
    progress('answered', 2),
    progress('completed', 3),
    recording('absent'),
  ],
  'a verdict before anything else is known': [
    { type: 'submission-lost' },
    machine,
    progress('ringing', 1),
    progress('completed', 3, { talk_seconds: 12 }),
    recording('absent'),
  ],
  'a recording that is first missed': [
    submitted,
    progress('completed', 3, { talk_seconds: 9 }),
    recording('in-progress'),
    recording('absent'),
    recording('completed'),
  ],
};

describe.each(Object.entries(stories))('%s', (_, events) => {
  // Only `submission` records whether the loss was noticed before or after the first report.
  const comparable = (call: Call): unknown =>
    events.some(({ type }) => type === 'submission-lost') ? { ...call, submission: null } : call;

  test('every order leads to the same call', () => {
    const expected = comparable(run(events));
    for (const order of permutations(events)) expect(comparable(run(order))).toEqual(expected);
  });

  test('repeating any of it changes nothing', () => {
    const expected = comparable(run(events));
    const random = seededRandom(20261120);
    for (let round = 0; round < 500; round += 1) {
      const repeated = events
        .flatMap((event) => Array.from({ length: 1 + Math.floor(random() * 4) }, () => event))
        .map((event) => ({ event, key: random() }))
        .sort((left, right) => left.key - right.key)
        .map(({ event }) => event);
      expect(comparable(run(repeated)), `round ${round}`).toEqual(expected);
    }
  });

  test('an event without news leaves the call unchanged', () => {
    const call = run(events);
    for (const event of events) expect(reduceCall(call, event, now)).toBe(call);
  });
});

describe('progress', () => {
  test('only moves forward', () => {
    const call = run([submitted, progress('answered', 2), progress('ringing', 1)]);
    expect(call.carrier_progress).toBe('answered');
  });

  test('of two ends keeps the later by number, and the time of the end', () => {
    const call = run([submitted, progress('completed', 3)]);
    const later = new Date(now.getTime() + 60_000);
    const next = reduceCall(call, progress('failed', 4), later);
    expect(next).toMatchObject({ carrier_progress: 'failed', carrier_sequence: 4, ended_at: sampleTime });
  });

  test('distinguishes an end by the carrier from one found or decided by us', () => {
    expect(run([submitted, progress('busy', 1)]).closed_by).toBe('carrier');
    expect(run([submitted, { type: 'polled', progress: 'busy', talk_seconds: null }]).closed_by).toBe(
      'sweeper',
    );
    expect(run([submitted, { type: 'given-up' }]).closed_by).toBe('sweeper');
  });

  test('a call closed without the carrier does not change', () => {
    const closed = run([submitted, progress('ringing', 1), { type: 'given-up' }]);
    expect(isEnded(closed)).toBe(true);
    expect(reduceCall(closed, progress('completed', 3), now)).toBe(closed);
    expect(reduceCall(closed, { type: 'polled', progress: 'busy', talk_seconds: null }, now)).toBe(closed);
  });

  test('a completed call absorbs all later events', () => {
    const completed = { ...run([submitted, progress('busy', 1)]), completed_at: sampleTime };
    const late: CallEvent[] = [
      progress('completed', 9),
      progress('ringing', 1),
      sessionEnded,
      machine,
      { type: 'submission-lost' },
      { type: 'abandoned' },
      { type: 'number-refused', error_code: '21211' },
      { type: 'given-up' },
      recording('absent'),
    ];
    const settled = { ...completed, recording: { ...completed.recording, status: 'none' as const } };
    for (const event of late) expect(reduceCall(settled, event, now)).toBe(settled);
  });
});

describe('the verdict of answering-machine detection', () => {
  test('stays as first reported', () => {
    const call = run([submitted, machine]);
    expect(call.answered_by).toBe('machine');
    expect(reduceCall(call, { ...machine, answered_by: 'human' }, now)).toBe(call);
  });

  test('is accepted after the end', () => {
    expect(run([submitted, progress('completed', 3), machine]).answered_by).toBe('machine');
  });

  test.each(['human', 'machine', 'fax', 'unknown'] as const)('%s never ends a call', (answered_by) => {
    const call = run([submitted, progress('answered', 2), { ...machine, answered_by }]);
    expect(call).toMatchObject({ answered_by, ended_at: null, closed_by: null });
    expect(isEnded(call)).toBe(false);
  });
});

describe('the carrier’s ID of the call', () => {
  test('the first report proves that the carrier accepted a call with a lost response', () => {
    const call = run([{ type: 'submission-lost' }, progress('initiated', 0)]);
    expect(call).toMatchObject({ submission: 'adopted', carrier_call_sid: sid });
  });

  test('the codes of the end and the session stay separate, in any order', () => {
    const end: CallEvent = {
      type: 'progress',
      progress: 'failed',
      carrier_call_sid: sid,
      sequence: 3,
      sip_response_code: null,
      talk_seconds: null,
      error_code: '13224',
    };
    const session: CallEvent = {
      type: 'session-ended',
      carrier_call_sid: sid,
      session_status: 'failed',
      error_code: '64105',
    };
    for (const events of [
      [submitted, end, session],
      [session, end, submitted],
    ]) {
      expect(run(events)).toMatchObject({ carrier_error_code: '13224', session_error_code: '64105' });
    }
    expect(run([{ type: 'number-refused', error_code: '21211' }]).carrier_error_code).toBe('21211');
  });

  test("a report that overtakes the dial's response counts as that response", () => {
    const call = run([progress('initiated', 0), submitted]);
    expect(call).toMatchObject({ submission: 'submitted', carrier_call_sid: sid });
  });

  test('reports about another carrier call change nothing', () => {
    const call = run([submitted]);
    const other = `CA${'0'.repeat(31)}f`;
    for (const event of [progress('completed', 3), sessionEnded, machine, recording('completed')]) {
      expect(reduceCall(call, { ...event, carrier_call_sid: other }, now)).toBe(call);
    }
  });

  test('an abandoned call is not resumed', () => {
    const abandoned = run([{ type: 'submission-lost' }, { type: 'abandoned' }]);
    expect(abandoned).toMatchObject({ submission: 'abandoned', closed_by: 'sweeper', ended_at: sampleTime });
    expect(reduceCall(abandoned, progress('answered', 2), now)).toBe(abandoned);
  });

  test('a call at the carrier is neither abandoned nor refused', () => {
    const call = run([submitted]);
    expect(reduceCall(call, { type: 'abandoned' }, now)).toBe(call);
    expect(reduceCall(call, { type: 'number-refused', error_code: '21211' }, now)).toBe(call);
    expect(reduceCall(call, { type: 'submission-lost' }, now)).toBe(call);
  });
});

describe('the recording', () => {
  const stored: CallEvent = {
    type: 'recording-stored',
    recording_sid: recordingSid,
    key: 'recordings/p/c.wav',
    bytes: 100,
    channels: 2,
    duration_seconds: 1.5,
    kept_until: '2026-12-21T15:00:00.000Z',
  };

  test('is kept once stored', () => {
    const call = run([submitted, recording('completed'), stored]);
    expect(call.recording).toMatchObject({ status: 'stored', key: 'recordings/p/c.wav', channels: 2 });
    for (const event of [
      recording('absent'),
      recording('completed'),
      { type: 'recording-missing', reason: 'x' } as const,
      { type: 'recording-given-up', reason: 'x' } as const,
      { ...stored, key: 'other' },
    ]) {
      expect(reduceCall(call, event, now)).toBe(call);
    }
  });

  test('does not count as missing if it exists, and may be abandoned', () => {
    const call = run([submitted, recording('completed')]);
    expect(reduceCall(call, { type: 'recording-missing', reason: 'x' }, now)).toBe(call);
    expect(
      reduceCall(call, { type: 'recording-given-up', reason: 'Too late.' }, now).recording,
    ).toMatchObject({
      status: 'none',
      carrier_recording_sid: recordingSid,
      reason: 'Too late.',
    });
  });

  test('that arrives after its call completed without it is awaited once more, and nothing else changes', () => {
    const call = {
      ...run([submitted, progress('completed', 3), recording('absent')]),
      completed_at: sampleTime,
    };
    const later = new Date(now.getTime() + 60_000);
    const awaited = reduceCall(call, recording('completed'), later);
    expect(awaited).toEqual({
      ...call,
      recording: {
        ...call.recording,
        status: 'awaited',
        carrier_recording_sid: recordingSid,
        found_at: later.toISOString(),
        reason: null,
        due_at: new Date(later.getTime() + 120_000).toISOString(),
      },
    });
    expect(reduceCall(awaited, stored, later).recording.status).toBe('stored');
  });

  test('is also at the carrier until deleted there', () => {
    const call = run([submitted, recording('completed'), stored]);
    expect(call.recording.at_carrier).toBe(true);
    const forgotten = reduceCall(call, { type: 'recording-forgotten' }, now);
    expect(forgotten.recording).toEqual({
      ...call.recording,
      at_carrier: false,
      due_at: call.recording.kept_until,
    });
    expect(reduceCall(forgotten, recording('completed'), now)).toBe(forgotten);
    const another = recording('completed', `RE${'0'.repeat(31)}c`);
    expect(reduceCall(forgotten, another, now).recording.at_carrier).toBe(true);
  });

  test('deleted after its retention is gone for good', () => {
    const ended = run([submitted, progress('completed', 3), recording('completed'), stored]);
    const completed = { ...ended, completed_at: sampleTime };
    const deleted = reduceCall(completed, { type: 'recording-deleted', reason: 'Too old.' }, now);
    expect(deleted.recording).toMatchObject({
      status: 'none',
      key: null,
      reason: 'Too old.',
      kept_until: '2026-12-21T15:00:00.000Z',
    });
    expect(reduceCall(deleted, recording('completed'), now)).toBe(deleted);
  });
});
