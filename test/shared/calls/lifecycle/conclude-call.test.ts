import { describe, expect, test } from 'vitest';
import { concludeCall } from '#shared/calls/lifecycle/conclude-call.ts';
import type { AnsweredBy, Call } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import {
  sampleCall,
  sampleProject,
  sampleResult,
  sampleTask,
  sampleTime,
} from '../../../support/sample-tasks.ts';

const ended = sampleCall(sampleTask(sampleProject()), {
  submission: 'submitted',
  closed_by: 'carrier',
  ended_at: sampleTime,
});

function call(changes: Partial<Call>): Call {
  return { ...ended, ...changes };
}

describe('a call with a conversation', () => {
  const undecided = sampleResult({ goal_reached: false, definite: false, summary: 'They will look it up.' });

  test('is a success that summarizes the outcome', () => {
    expect(concludeCall(call({ carrier_progress: 'completed' }), sampleResult())).toEqual({
      status: 'SUCCESS',
      outcome: 'The practice opens at eight.',
      result: sampleResult(),
      isFutile: false,
    });
    expect(concludeCall(call({ carrier_progress: 'completed' }), undecided)).toMatchObject({
      status: 'SUCCESS',
      outcome: 'They will look it up.',
    });
  });

  test('keeps its findings, however the line ended', () => {
    const lines: Partial<Call>[] = [
      { carrier_progress: 'failed', session_status: 'failed' },
      { carrier_progress: 'answered', closed_by: 'sweeper' },
      { carrier_progress: 'queued', submission: 'abandoned', closed_by: 'sweeper' },
    ];
    for (const line of lines) {
      expect(concludeCall(call(line), sampleResult())).toMatchObject({ status: 'SUCCESS' });
    }
  });

  test('fails without speech', () => {
    const silence = sampleResult({
      goal_reached: false,
      definite: false,
      ending: 'no-speech',
      summary: 'Nobody spoke.',
    });
    expect(concludeCall(call({ carrier_progress: 'completed' }), silence)).toMatchObject({
      status: 'FAILED',
      outcome: 'Nobody spoke.',
      result: silence,
      isFutile: false,
    });
  });

  test('with a machine that takes messages is a voicemail', () => {
    const result = sampleResult({
      goal_reached: false,
      definite: false,
      ending: 'voicemail',
      summary: 'Reached voicemail.',
    });
    const lines: Partial<Call>[] = [
      { carrier_progress: 'completed', session_status: 'ended' },
      { carrier_progress: 'failed', session_status: 'failed' },
    ];
    for (const line of lines) {
      expect(concludeCall(call(line), result)).toEqual({
        status: 'VOICEMAIL',
        outcome: 'Reached voicemail.',
        result,
        isFutile: false,
      });
    }
  });

  test.each(['opted-out', 'refused', 'wrong-number', 'declined', 'finished'] as const)(
    'that ended %s is definite',
    (ending) => {
      const result = sampleResult({ goal_reached: false, definite: true, ending });
      expect(concludeCall(call({ carrier_progress: 'completed' }), result)).toMatchObject({
        status: 'SUCCESS',
        result,
      });
    },
  );

  test.each<Partial<Call>>([
    { carrier_progress: 'completed', session_status: 'failed' },
    { carrier_progress: 'failed', session_status: null },
  ])('fails if it broke off undecided, and keeps its words: %o', (line) => {
    expect(concludeCall(call(line), undecided)).toMatchObject({
      status: 'FAILED',
      outcome: 'They will look it up. The connection dropped before the conversation was over.',
      result: undecided,
    });
  });
});

describe('a call without a conversation', () => {
  test.each([
    [{ carrier_progress: 'busy' }, 'BUSY', 'The line was busy.', false],
    [{ carrier_progress: 'no_answer' }, 'NO_ANSWER', 'Nobody answered.', false],
    [{ carrier_progress: 'canceled' }, 'CANCELLED', 'The call was canceled before anyone answered.', false],
    [
      { carrier_progress: 'failed', sip_response_code: '503' },
      'FAILED',
      'The call could not be connected.',
      false,
    ],
    [
      { carrier_progress: 'failed', sip_response_code: '404' },
      'FAILED',
      'The number is not in service.',
      true,
    ],
    [
      { carrier_progress: 'failed', sip_response_code: '604' },
      'FAILED',
      'The number is not in service.',
      true,
    ],
    [{ carrier_progress: 'no_answer', sip_response_code: '404' }, 'NO_ANSWER', 'Nobody answered.', false],
    [
      { carrier_progress: 'completed' },
      'FAILED',
      'The call was answered, but no conversation took place.',
      false,
    ],
    [
      { carrier_progress: 'answered', closed_by: 'sweeper' },
      'FAILED',
      'The call was answered, but the telephone carrier never reported its outcome.',
      false,
    ],
    [
      { carrier_progress: 'ringing', closed_by: 'sweeper' },
      'FAILED',
      'The telephone carrier never reported the outcome of the call.',
      false,
    ],
    [
      { submission: 'abandoned', closed_by: 'sweeper' },
      'FAILED',
      'The call was not placed: the telephone carrier has no record of it.',
      false,
    ],
    [
      { submission: 'abandoned', carrier_progress: 'failed', closed_by: 'carrier' },
      'FAILED',
      'The telephone carrier refused the number as uncallable.',
      true,
    ],
  ] as const)('%j is %s', (changes, status, outcome, isFutile) => {
    expect(concludeCall(call(changes), null)).toEqual({
      status,
      outcome,
      result: null,
      isFutile,
    });
  });
});

describe('who answered, by the agent and the detection', () => {
  const undecided = { goal_reached: false, definite: false } as const;
  const mailbox = sampleResult({ ...undecided, ending: 'voicemail', summary: 'Reached voicemail.' });
  const words = sampleResult({ ...undecided, ending: 'hung-up', summary: 'They hung up.' });
  const silence = sampleResult({ ...undecided, ending: 'no-speech', summary: 'Nobody spoke.' });
  const answered: Partial<Call> = { carrier_progress: 'completed' };
  const machineOutcome = 'According to the telephone carrier, an answering machine took the call.';
  const noConversation = 'The call was answered, but no conversation took place.';

  interface Row {
    readonly line: Partial<Call>;
    readonly result: CallResult | null;
    /** Status and outcome by verdict; `other` for the unnamed ones. */
    readonly expected: Partial<Record<AnsweredBy | 'none', readonly [string, string]>> & {
      readonly other: readonly [string, string];
    };
  }

  const table: Record<string, Row> = {
    'a decision': {
      line: answered,
      result: sampleResult(),
      expected: { other: ['SUCCESS', 'The practice opens at eight.'] },
    },
    'a mailbox that the agent recognized': {
      line: answered,
      result: mailbox,
      expected: { other: ['VOICEMAIL', 'Reached voicemail.'] },
    },
    'words without a decision': {
      line: answered,
      result: words,
      expected: { other: ['SUCCESS', 'They hung up.'] },
    },
    'words that broke off': {
      line: { ...answered, session_status: 'failed' },
      result: words,
      expected: {
        other: ['FAILED', 'They hung up. The connection dropped before the conversation was over.'],
      },
    },
    silence: {
      line: answered,
      result: silence,
      expected: {
        machine: ['VOICEMAIL', machineOutcome],
        fax: ['FAILED', 'A fax machine answered.'],
        other: ['FAILED', 'Nobody spoke.'],
      },
    },
    'no conversation': {
      line: answered,
      result: null,
      expected: {
        machine: ['VOICEMAIL', machineOutcome],
        fax: ['FAILED', 'A fax machine answered.'],
        other: ['FAILED', noConversation],
      },
    },
    'no conversation, and a relay that failed': {
      line: { carrier_progress: 'failed', session_status: 'failed' },
      result: null,
      expected: {
        machine: ['VOICEMAIL', machineOutcome],
        fax: ['FAILED', 'A fax machine answered.'],
        other: ['FAILED', 'The call could not be connected.'],
      },
    },
    'no conversation, and no report but the verdict': {
      line: { carrier_progress: 'ringing', closed_by: 'sweeper' },
      result: null,
      expected: {
        machine: ['VOICEMAIL', machineOutcome],
        fax: ['FAILED', 'A fax machine answered.'],
        other: ['FAILED', 'The telephone carrier never reported the outcome of the call.'],
      },
    },
    'a busy line': {
      line: { carrier_progress: 'busy' },
      result: null,
      expected: { other: ['BUSY', 'The line was busy.'] },
    },
    'nobody who answered': {
      line: { carrier_progress: 'no_answer' },
      result: null,
      expected: { other: ['NO_ANSWER', 'Nobody answered.'] },
    },
    'a call that was cancelled before it was answered': {
      line: { carrier_progress: 'canceled' },
      result: null,
      expected: { other: ['CANCELLED', 'The call was canceled before anyone answered.'] },
    },
    'a number that is not in service': {
      line: { carrier_progress: 'failed', sip_response_code: '404' },
      result: null,
      expected: { other: ['FAILED', 'The number is not in service.'] },
    },
    'a call that was never placed': {
      line: { carrier_progress: 'queued', submission: 'abandoned', closed_by: 'sweeper' },
      result: null,
      expected: {
        other: ['FAILED', 'The call was not placed: the telephone carrier has no record of it.'],
      },
    },
  };

  const verdicts = ['human', 'machine', 'fax', 'unknown', null] as const;
  const cells = Object.entries(table).flatMap(([name, row]) =>
    verdicts.map((verdict) => ({ name, verdict, row })),
  );

  test.each(cells)('$name, verdict $verdict', ({ row, verdict }) => {
    const { line, result, expected } = row;
    const [status, outcome] = expected[verdict ?? 'none'] ?? expected.other;
    const conclusion = concludeCall(call({ ...line, answered_by: verdict }), result);
    expect(conclusion).toMatchObject({ status, outcome });
    // There is no conversation with a fax machine, however the agent interpreted the silence.
    const isFax = outcome === 'A fax machine answered.';
    expect(conclusion.result?.answers).toEqual(isFax ? undefined : result?.answers);
    if (status === 'VOICEMAIL' && result !== null) expect(conclusion.result?.ending).toBe('voicemail');
  });

  test.each(cells)('$name, verdict $verdict, of a canceled task', ({ row, verdict }) => {
    const { line, result } = row;
    const ofCall = call({ ...line, answered_by: verdict });
    const otherwise = concludeCall(ofCall, result);
    const conclusion = concludeCall({ ...ofCall, end_requested_at: sampleTime }, result);
    expect(conclusion).toEqual(
      result?.goal_reached
        ? otherwise
        : {
            status: 'CANCELLED',
            outcome: `The task was canceled before this call decided it. ${otherwise.outcome}`,
            result: otherwise.result,
            isFutile: false,
          },
    );
  });
});
