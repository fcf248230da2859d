import { describe, expect, test } from 'vitest';
import { carrierCodes } from '#shared/carrier/carrier-codes.ts';
import { classifyResponse } from '#shared/carrier/carrier-error.ts';
import { explainCall, explainCode, isFutile } from '#shared/carrier/explain-call.ts';
import type { Call } from '#shared/domain/call.ts';
import { sampleCall, sampleProject, sampleTask, sampleTime } from '../../support/sample-tasks.ts';

function ended(changes: Partial<Call>): Call {
  return sampleCall(sampleTask(sampleProject()), { status: 'FAILED', ended_at: sampleTime, ...changes });
}

const all = Object.entries(carrierCodes).flatMap(([kind, codes]) =>
  Object.entries(codes).map(([code, meaning]) => ({ kind, code, ...meaning })),
);

describe('the codes of the carrier', () => {
  test.each(all)('$kind $code has whole sentences', ({ meaning, remedy, anotherCall }) => {
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    expect(remedy ?? 'None.').toMatch(/^[A-Z].*\.$/);
    // What helps after a remedy has one.
    if (anotherCall === 'helps after that') expect(remedy).not.toBeNull();
  });

  test('never recommends a call where the service makes none', () => {
    const bad = all.filter(
      ({ kind, code }) => kind === 'error' && classifyResponse(400, Number(code)) === 'bad-number',
    );
    expect(bad.map(({ code }) => code)).toEqual(['13223', '21211', '21214', '21217']);
    const unused = all.filter(
      ({ kind, code }) => kind === 'SIP' && ['404', '410', '484', '604'].includes(code),
    );
    expect(unused).toHaveLength(4);
    for (const { anotherCall } of [...bad, ...unused]) expect(anotherCall).toBe('does not help');
  });
});

describe('a failed call', () => {
  test('is explained by each known code', () => {
    const lines = explainCall(
      ended({ carrier_progress: 'failed', sip_response_code: '503', carrier_error_code: '10004' }),
    );
    expect(lines).toEqual([
      'Carrier SIP 503: A network on the way is temporarily overloaded. Another call may get through.',
      expect.stringMatching(/^Carrier error 10004: .* LiveCarrierMaxCalls, .* may get through\.$/),
    ]);
  });

  test('is explained by its final state without a code', () => {
    expect(explainCall(ended({ carrier_progress: 'busy', status: 'BUSY' }))).toEqual([
      'Carrier status busy: The line was busy. Another call may get through.',
    ]);
    expect(explainCall(ended({ carrier_progress: 'completed' }))).toEqual([]);
  });

  test('is explained if only the conversation failed', () => {
    const call = ended({
      carrier_progress: 'completed',
      sip_response_code: '200',
      session_error_code: '64105',
    });
    expect(explainCall(call)).toEqual([expect.stringMatching(/^Carrier error 64105: /)]);
  });

  test.each(['SUCCESS', 'VOICEMAIL'] as const)('with status %s is no failure', (status) => {
    expect(explainCall(ended({ status, session_error_code: '64105' }))).toEqual([]);
  });

  test('does not count its number as wrong where only networks failed', () => {
    const failed = (code: string): Call => ended({ carrier_progress: 'failed', carrier_error_code: code });
    expect(isFutile(failed('13223'))).toBe(true);
    expect(isFutile(failed('13224'))).toBe(false);
  });

  test('shows an unknown code as it is', () => {
    expect(explainCode('error', '99999')).toBe('Carrier error 99999');
    expect(explainCode('SIP', 'constructor')).toBe('Carrier SIP constructor');
  });
});
