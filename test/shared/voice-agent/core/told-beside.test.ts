import { describe, expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { benefits, claim, told } from './told-in.ts';

describe('words beside an answer', () => {
  test.each([
    ['Yep, active, and that goes back to May 1st, 2024.', '2024-05-01'],
    ['active as of july first twenty twenty-five', '2025-07-01'],
    ['She is active with the state, since March 15th, 2023.', '2023-03-15'],
  ])('give the first day of coverage: "%s"', (said, day) => {
    expect(told(benefits, 'coverage_active', said)).toMatchObject({ effective_date: day });
  });

  test.each([
    'Active as of today.',
    'It is good as of this afternoon.',
    'Active, and paid up to December 1st.',
    'It is active until June 30th.',
    'Inactive since June 30th.',
  ])('do not give a first day of coverage: "%s"', (said) => {
    expect(told(benefits, 'coverage_active', said)).not.toHaveProperty('effective_date');
  });

  test('give the rest of a deductible', () => {
    expect(told(benefits, 'deductible_met', 'She has met $310, so $190 left.')).toMatchObject({
      deductible_met: 310,
      deductible_remaining: 190,
    });
  });

  test('give no rest that is more than the deductible', () => {
    const known = [{ key: 'deductible', value: 60 }];
    const found = told(benefits, 'deductible_remaining', '$640 is left.', known);
    expect(found).not.toHaveProperty('deductible_remaining');
  });

  test('give no day ahead for what has been done', () => {
    const said = "June 2nd, 2027. That's ninety from the denial, and it has to be in our hands.";
    expect(told(claim, 'appeal_deadline', said)).not.toHaveProperty('processed_date');
  });

  test('give the day a claim was decided', () => {
    expect(told(claim, 'claim_status', 'That one was denied, November 4th.')).toMatchObject({
      claim_status: 'denied',
      processed_date: '2026-11-04',
    });
  });

  test('give the number of the check', () => {
    expect(told(claim, 'claim_status', 'It got paid, check 80412.')).toMatchObject({
      claim_status: 'paid',
      payment_number: '80412',
    });
  });
});

describe('an amount', () => {
  const price = clientItem('question_0', 'What is the delivery charge?', null, []);
  const plan = { ...claim, task_type: 'CUSTOM_TASK' as const, callee: 'office' as const, items: [price] };

  test.each(['no charge', 'nope, no fee', 'No.'])('is none: "%s"', (said) => {
    expect(told(plan, 'question_0', said)).toEqual({ question_0: 0 });
  });

  test.each([
    'no i thought you were my cousin',
    'children free, adults twelve dollars',
    'ten dollars and two dollars each for more',
  ])('is not nothing, nor the price of an extra: "%s"', (said) => {
    expect([undefined, 12, 10]).toContain(told(plan, 'question_0', said).question_0);
  });

  test('is not our number, nor a count beside it', () => {
    const sixty = { ...clientItem('question_0', 'What do sixty capsules cost?', null, []) };
    expect(told({ ...plan, items: [sixty] }, 'question_0', "Sixty of 'em are $21.75.")).toEqual({
      question_0: 21.75,
    });
  });

  test('of the family is not the patient’s', () => {
    expect(told(benefits, 'deductible', "Family's $3,000, individual's $1,500.").deductible).toBe(1500);
  });
});

test.each([
  ['Out of network? No no, they are in.', false],
  ['No no, they participate.', false],
])('a no that the next words contradict is uncertain: "%s"', (said, value) => {
  expect(told(benefits, 'in_network', said).in_network).not.toBe(value);
});

test.each([
  ["It's only received. It came in on the 4th and nobody has touched it.", 'received'],
  ['It is in, but it is pending with a nurse.', 'pending'],
])('a named status precedes an implied one: "%s"', (said, status) => {
  expect([undefined, status]).toContain(told(claim, 'claim_status', said).claim_status);
});

test('a claim without a payment is probably not paid', () => {
  expect(told(claim, 'claim_status', 'paid $0 the code was wrong').claim_status).not.toBe('paid');
});

test('words to another person while we wait answer nothing', () => {
  const said = "Hold on. Sir, that's the bill, no, the other window.";
  expect(told(benefits, 'service_covered', said)).not.toHaveProperty('service_covered');
});

describe('asked for days', () => {
  const days = clientItem('question_0', 'On which days do you draw blood?', null, []);
  const plan = { ...claim, task_type: 'CUSTOM_TASK' as const, callee: 'office' as const, items: [days] };

  test.each(['mondays and wednesdays', 'Every weekday, mornings.', 'Tuesday and Thursday.'])(
    'one is an answer: "%s"',
    (said) => {
      expect(told(plan, 'question_0', said)).toHaveProperty('question_0');
    },
  );

  test('none is not an answer', () => {
    expect(told(plan, 'question_0', 'a couple of times when the nurse is in')).toEqual({});
  });
});

describe('words next to an answer', () => {
  test.each([
    ["Oh yes, she's been on since June 1st, 2019.", '2019-06-01'],
    ['It started on January 1st, 2024.', '2024-01-01'],
  ])('are heard as well: "%s"', (said, effective_date) => {
    expect(told(benefits, 'coverage_active', said)).toMatchObject({ effective_date });
  });

  test('give a value of another kind than requested', () => {
    expect(told(benefits, 'deductible', "It's $900.").deductible_met).toBeUndefined();
  });

  test('a bare none refers to the question, not to what it names', () => {
    expect(told(benefits, 'coinsurance', 'None, copay only.').copay).toBeUndefined();
    expect(told(benefits, 'coinsurance', "No, there's no copay.")).toMatchObject({ copay: 0 });
  });

  test('the rest is not the amount met', () => {
    expect(
      told(benefits, 'deductible_met', "She's got a hundred dollars left.").deductible_met,
    ).toBeUndefined();
  });
});
