import { describe, expect, test } from 'vitest';
import type { Fact } from '#shared/voice-agent/call-plan/call-plan.ts';
import { disclosedIn, disclosuresHeard } from '#shared/voice-agent/result/disclosures.ts';

const facts: Fact[] = [
  fact('patient.name', 'patient-name', 'May Rivera'),
  fact('patient.first_name', 'first-name', 'May'),
  fact('patient.last_name', 'last-name', 'Rivera'),
  fact('patient.date_of_birth', 'date-of-birth', '1984-07-12', 'July 12, 1984'),
  fact('patient.phone_number', 'phone', '+12025550142', '2 0 2, 5 5 5, 0 1 4 2'),
  fact('member_id', 'member-id', 'XGH123456', 'X G H, 1 2 3, 4 5 6'),
  fact('status', 'patient-status', 'new'),
  fact('reason', 'visit-reason', 'knee pain'),
];

function fact(field: string, topic: Fact['topic'], value: string, spoken = value): Fact {
  return { field, topic, label: field, value, spoken, may_be_told: true };
}

test("the caller's identity is no disclosure", () => {
  const number = fact('project.callback_number', 'callback-number', '+12025550199', '2 0 2, 5 5 5, 0 1 9 9');
  expect(disclosedIn('Please call 2 0 2, 5 5 5, 0 1 9 9.', [...facts, number])).toEqual([]);
});

describe('words tell', () => {
  test.each([
    ['a short name, even where it may be another word', 'May I go on?', ['patient.first_name']],
    ['a name and not each of its parts as well', 'It is for May Rivera.', ['patient.name']],
    ['a part of a name', 'The last name is Rivera.', ['patient.last_name']],
    ['a date as it is spoken', 'She was born on July 12, 1984.', ['patient.date_of_birth']],
    ['a date with an ordinal', 'It is july 12th 1984', ['patient.date_of_birth']],
    ['a date as it is stored', 'That is 1984-07-12.', ['patient.date_of_birth']],
    ['an identifier spelled out', 'X G H 1 2 3 4 5 6', ['member_id']],
    ['an identifier in one piece', 'The ID is XGH123456, thank you.', ['member_id']],
    ['a number without its country', 'Call 202-555-0142.', ['patient.phone_number']],
    ['several facts', 'May Rivera has knee pain.', ['patient.name', 'reason']],
  ])('%s', (_, words, fields) => {
    expect(disclosedIn(words, facts)).toEqual(fields);
  });

  test('an everyday word is not a fact, nor is a short value in another case', () => {
    expect(disclosedIn('The new form may be rivers long.', facts)).toEqual([]);
  });

  test("the model's declared facts, in any words, once", () => {
    expect(disclosedIn('Her knee hurts; the name is May Rivera.', facts, ['reason', 'patient.name'])).toEqual(
      ['reason', 'patient.name'],
    );
  });
});

describe('of interrupted words', () => {
  const whole = 'The name is May Rivera, born July 12, 1984, because her knee hurts.';
  const disclosed = ['patient.name', 'patient.date_of_birth', 'reason'];

  test('only the heard part counts, and unknown parts count as heard', () => {
    expect(disclosuresHeard(disclosed, { whole, heard: 'The name is May Rivera, born July' }, facts)).toEqual(
      ['patient.name', 'reason'],
    );
  });

  test('nothing counts if nothing was heard', () => {
    expect(disclosuresHeard(disclosed, { whole, heard: '' }, facts)).toEqual([]);
  });
});
