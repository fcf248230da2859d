import { describe, expect, test } from 'vitest';
import { combineResults, type EndedCall } from '#shared/calls/lifecycle/combine-results.ts';
import type { CallAnswer, CallResult } from '#shared/domain/call-result.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { sampleResult } from '../../../support/sample-tasks.ts';

function answer(key: string, text: string, turn = 1): CallAnswer {
  const question = `What about ${key}?`;
  return { key, question, answer: text, value: text, quote: `It is ${text}.`, turn, needs_review: false };
}

function unanswered(key: string): CallAnswer {
  const question = `What about ${key}?`;
  return { key, question, answer: null, value: null, quote: null, turn: null, needs_review: false };
}

function partial(answers: CallAnswer[], changes: Partial<CallResult> = {}): CallResult {
  return sampleResult({
    goal_reached: false,
    definite: false,
    ending: 'hung-up',
    answers,
    summary: 'Cut off.',
    ...changes,
  });
}

function call(result: CallResult | null): EndedCall {
  return {
    id: uuidv7(),
    status: result === null ? 'BUSY' : 'SUCCESS',
    submission: 'submitted',
    result,
    call_outcome: null,
  };
}

function textsByKey(result: CallResult | null): Record<string, string | null> {
  return Object.fromEntries((result?.answers ?? []).map(({ key, answer: text }) => [key, text]));
}

describe('the result of a task', () => {
  test('is null until a person spoke', () => {
    expect(combineResults([])).toBeNull();
    expect(combineResults([call(null), call(null)])).toBeNull();
  });

  test('is that of its only call', () => {
    const result = partial([answer('copay', '$20')], { disclosures: [{ field: 'patient.name', turn: 0 }] });
    expect(combineResults([call(result)])).toEqual(result);
  });

  test('names the call of an answer or disclosure if not the last one', () => {
    const first = call(
      partial([answer('copay', '$20', 5)], { disclosures: [{ field: 'patient.name', turn: 2 }] }),
    );
    const last = call(
      partial([answer('deductible', '$500', 7)], { disclosures: [{ field: 'patient.name', turn: 4 }] }),
    );
    const combined = combineResults([first, last]);
    expect(combined?.answers).toEqual([
      { ...answer('copay', '$20', 5), call_id: first.id },
      answer('deductible', '$500', 7),
    ]);
    expect(combined?.disclosures).toEqual([
      { field: 'patient.name', turn: 2, call_id: first.id },
      { field: 'patient.name', turn: 4 },
    ]);
    // Nothing can be from the last call, which was not answered.
    const unheard = combineResults([first, last, call(null)]);
    expect(unheard?.answers.map(({ call_id }) => call_id)).toEqual([first.id, last.id]);
  });

  test('keeps its questions in the order of the first call', () => {
    const combined = combineResults([
      call(partial([unanswered('network'), answer('copay', '$20'), unanswered('deductible')])),
      call(partial([answer('deductible', '$500'), unanswered('network'), answer('limit', '20')])),
    ]);
    expect(combined?.answers.map(({ key }) => key)).toEqual(['network', 'copay', 'deductible', 'limit']);
  });

  test('has the newest answer to each question, and an older one rather than none', () => {
    const combined = combineResults([
      call(partial([answer('copay', '$20'), answer('deductible', '$500')])),
      call(partial([answer('copay', '$25'), unanswered('deductible'), unanswered('network')])),
    ]);
    expect(textsByKey(combined)).toEqual({ copay: '$25', deductible: '$500', network: null });
  });

  test('keeps its findings after a call without any', () => {
    const found = partial([answer('copay', '$20')], { reference_number: 'R-1', person_name: 'Dana' });
    const nothing = [
      partial([unanswered('copay')], { ending: 'no-speech', summary: 'Nobody spoke.' }),
      partial([unanswered('copay')], { ending: 'voicemail', summary: 'Reached voicemail.' }),
    ];
    for (const result of nothing) {
      expect(combineResults([call(found), call(result)])).toMatchObject({
        answers: [{ key: 'copay', answer: '$20' }],
        reference_number: 'R-1',
        person_name: 'Dana',
        ending: 'hung-up',
        summary: 'Cut off.',
      });
    }
  });

  test('ends like the deciding call, whatever the others found', () => {
    const refused = partial([unanswered('copay')], { ending: 'opted-out', definite: true, summary: 'No.' });
    expect(combineResults([call(partial([answer('copay', '$20')])), call(refused)])).toMatchObject({
      ending: 'opted-out',
      definite: true,
      goal_reached: false,
      answers: [{ key: 'copay', answer: '$20' }],
      summary: 'No. Learned in another call: What about copay? $20.',
    });
  });

  test('never mixes the details of one appointment with the time of another', () => {
    const offered = partial([
      answer('appointment_time', 'Monday at 9'),
      answer('provider_name', 'Dr. Okafor'),
      answer('instructions', 'Come fasting'),
    ]);
    const booked = sampleResult({ answers: [answer('appointment_time', 'Friday at 2')], summary: 'Booked.' });
    const combined = combineResults([call(offered), call(booked)]);
    expect(textsByKey(combined)).toEqual({ appointment_time: 'Friday at 2' });
    expect(combined?.summary).toBe('Booked.');
  });

  test('prefers a certain answer to one that needs review, and that to none', () => {
    const doubtful: CallAnswer = {
      ...answer('copay', '"Forty." But also: "Thirty."'),
      value: null,
      needs_review: true,
    };
    const sure = call(partial([answer('copay', '$30', 3)], { summary: 'Sure.' }));
    const unsure = call(partial([doubtful], { summary: 'Unsure.' }));
    expect(combineResults([sure, unsure])?.answers).toEqual([
      { ...answer('copay', '$30', 3), call_id: sure.id },
    ]);
    expect(combineResults([unsure, sure])?.answers).toEqual([answer('copay', '$30', 3)]);
    const open = call(partial([unanswered('copay'), answer('limit', '20')]));
    expect(combineResults([unsure, open])?.answers).toEqual([
      { ...doubtful, call_id: unsure.id },
      answer('limit', '20'),
    ]);
  });

  test('names the call with the obstacle', () => {
    const obstacle = { reason: 'withheld', quote: 'I cannot tell.', turn: 3, call_back_at: null } as const;
    const first = call(partial([answer('copay', '$20')], { obstacle }));
    expect(combineResults([first])?.obstacle).toEqual(obstacle);
    expect(combineResults([first, call(null)])?.obstacle).toEqual({ ...obstacle, call_id: first.id });
  });

  test('does not take the name of an earlier person for an answer', () => {
    const combined = combineResults([
      call(partial([answer('person_name', 'Dana'), answer('copay', '$20')])),
      call(partial([answer('deductible', '$500')])),
    ]);
    expect(textsByKey(combined)).toEqual({ deductible: '$500', copay: '$20' });
  });
});
