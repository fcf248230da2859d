import { expect, test } from 'vitest';
import { toldFacts } from '#shared/voice-agent/result/told-facts.ts';
import { planOf } from '../../../support/dialogue-turns.ts';

const { facts } = planOf({
  task_type: 'SCHEDULE_APPOINTMENT',
  task: 'Make an appointment.',
  task_data: { timeframe_availability: 'weekday mornings in the next two weeks, except Fridays' },
});

test.each([
  ['The date of birth is March fifth, nineteen seventy nine.', ['patient.date_of_birth']],
  ['She was born on 3/5/1979.', ['patient.date_of_birth']],
  ['The number is two zero two, five five five, zero one four seven.', ['patient.phone_number']],
  ['It is S M X 5 5 1 2 0 9 8 7.', ['patient.insurance.medical.member_id']],
  ['Mornings on a weekday, within the next two weeks, would be best.', ['task_data.timeframe_availability']],
  ['I would like to make an appointment for a patient.', []],
  ['Is there something on Tuesday, November 24?', []],
])('facts are found in "%s"', (words, fields) => {
  expect(toldFacts(facts, words, '2026-11-16')).toEqual(fields);
});
