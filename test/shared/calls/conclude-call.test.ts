import { describe, expect, test } from 'vitest';
import { concludeCall } from '#shared/calls/conclude-call.ts';
import type { Call } from '#shared/domain/call.ts';
import {
  sampleCall,
  sampleProject,
  sampleResult,
  sampleTask,
  sampleTime,
} from '../../support/sample-tasks.ts';

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

  test('is a success that tells what came out', () => {
    expect(concludeCall(call({ carrier_progress: 'completed' }), sampleResult(), true)).toEqual({
      status: 'SUCCESS',
      outcome: 'The practice opens at eight.',
      result: sampleResult(),
      numberUnusable: false,
    });
    expect(concludeCall(call({ carrier_progress: 'completed' }), undecided, true)).toMatchObject({
      status: 'SUCCESS',
      outcome: 'They will look it up.',
    });
  });

  test('what was found out counts, however the line ended', () => {
    const lines: Partial<Call>[] = [
      { carrier_progress: 'failed', session_status: 'failed' },
      { carrier_progress: 'answered', closed_by: 'sweeper' },
      { carrier_progress: 'queued', submission: 'abandoned', closed_by: 'sweeper' },
    ];
    for (const line of lines) {
      expect(concludeCall(call(line), sampleResult(), true)).toMatchObject({ status: 'SUCCESS' });
    }
  });

  test('one in which nobody spoke has failed', () => {
    const silence = sampleResult({ goal_reached: false, definite: false, summary: 'Nobody spoke.' });
    expect(concludeCall(call({ carrier_progress: 'completed' }), silence, false)).toMatchObject({
      status: 'FAILED',
      outcome: 'Nobody spoke.',
      result: silence,
      numberUnusable: false,
    });
  });

  test.each([true, false])(
    'with a machine that takes messages is a voicemail, its words heard: %s',
    (heard) => {
      const result = sampleResult({
        goal_reached: false,
        definite: false,
        ending: 'voicemail',
        summary: 'A voicemail answered.',
      });
      const lines: Partial<Call>[] = [
        { carrier_progress: 'completed', session_status: 'ended' },
        { carrier_progress: 'failed', session_status: 'failed' },
      ];
      for (const line of lines) {
        expect(concludeCall(call(line), result, heard)).toEqual({
          status: 'VOICEMAIL',
          outcome: 'A voicemail answered.',
          result,
          numberUnusable: false,
        });
      }
    },
  );

  test.each(['opted-out', 'refused', 'wrong-number', 'declined', 'finished'] as const)(
    'that ended %s is definite',
    (ending) => {
      const result = sampleResult({ goal_reached: false, definite: true, ending });
      expect(concludeCall(call({ carrier_progress: 'completed' }), result, true)).toMatchObject({
        status: 'SUCCESS',
        result,
      });
    },
  );

  test.each<Partial<Call>>([
    { carrier_progress: 'completed', session_status: 'failed' },
    { carrier_progress: 'failed', session_status: null },
  ])('one that broke off undecided has failed, and its words are kept: %o', (line) => {
    expect(concludeCall(call(line), undecided, true)).toMatchObject({
      status: 'FAILED',
      outcome: 'They will look it up. The connection broke off before the conversation was over.',
      result: undecided,
    });
  });
});

describe('a call without a conversation', () => {
  test.each([
    [{ carrier_progress: 'busy' }, 'BUSY', 'The line was busy.', false],
    [{ carrier_progress: 'no_answer' }, 'NO_ANSWER', 'Nobody answered.', false],
    [{ carrier_progress: 'canceled' }, 'CANCELLED', 'The call was cancelled before anybody answered.', false],
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
      'The call was answered, but the telephone carrier never reported how it went on.',
      false,
    ],
    [
      { carrier_progress: 'ringing', closed_by: 'sweeper' },
      'FAILED',
      'The telephone carrier never reported how the call went on.',
      false,
    ],
    [
      { submission: 'abandoned', closed_by: 'sweeper' },
      'FAILED',
      'The call was not placed: the telephone carrier knows nothing of it.',
      false,
    ],
    [
      { submission: 'abandoned', carrier_progress: 'failed', closed_by: 'carrier' },
      'FAILED',
      'The telephone carrier refused the number as one that cannot be called.',
      true,
    ],
  ] as const)('%j is %s', (changes, status, outcome, numberUnusable) => {
    expect(concludeCall(call(changes), null, false)).toEqual({
      status,
      outcome,
      result: null,
      numberUnusable,
    });
  });
});
