import { describe, expect, test } from 'vitest';
import { concludeCall } from '#shared/calls/lifecycle/conclude-call.ts';
import type { Call } from '#shared/domain/call.ts';
import { sampleCall, sampleProject, sampleResult, sampleTask } from '../../../support/sample-tasks.ts';

function call(changes: Partial<Call>): Call {
  return {
    ...sampleCall(sampleTask(sampleProject()), { submission: 'submitted', closed_by: 'carrier' }),
    ...changes,
  };
}

describe('a call whose settings the relay refuses', () => {
  const silence = sampleResult({
    goal_reached: false,
    definite: false,
    ending: 'no-speech',
    summary: 'Nobody spoke.',
  });
  const voice =
    'The call was answered, but no conversation took place. ConversationRelay does not have the voice or the ' +
    'language. Choose another voice or language under Project Settings > General.';

  test.each([
    ['completed', null, null],
    ['completed', silence, null],
    ['failed', null, null],
    ['completed', silence, 'machine'],
  ] as const)('fails for good and says what to do (%s)', (carrier_progress, result, answered_by) => {
    const refused = { session_status: 'failed', session_error_code: '64106' } as const;
    expect(concludeCall(call({ ...refused, carrier_progress, answered_by }), result)).toEqual({
      status: 'FAILED',
      outcome: voice,
      result: null,
      isFutile: true,
    });
  });

  test.each([
    ['64106', sampleResult({ goal_reached: false, definite: false })],
    ['64105', null],
  ] as const)(
    'may be followed by another if words were heard, or for another reason (%s)',
    (code, result) => {
      const failed = call({
        carrier_progress: 'completed',
        session_status: 'failed',
        session_error_code: code,
      });
      expect(concludeCall(failed, result)).toMatchObject({ isFutile: false });
    },
  );
});
