import { describe, expect, test } from 'vitest';
import { type TaskInput, talk, transcriptOf, valuesOf } from '../../../support/conversation.ts';

const claim: TaskInput = {
  task_type: 'REIMBURSEMENT',
  task: 'Find out the status of the claim.',
  task_data: { case_info: { number: 'CLM-10293' } },
};
const benefits: TaskInput = {
  task_type: 'VERIFY_INSURANCE',
  task: 'Verify the benefits.',
  task_data: { service: { description: 'Physical therapy' } },
};
const physical: TaskInput = {
  task_type: 'SCHEDULE_APPOINTMENT',
  task: 'Schedule an annual physical.',
  task_data: { timeframe_availability: 'any weekday' },
};

describe('a reason told without punctuation stays whole', () => {
  test.each([
    'the reason is that the referral was never sent to us',
    'reason it got denied is the referral was never sent to us',
    'well the problem is that the referral was never sent to us',
  ])('%s', (line) => {
    const conversation = talk(claim, [
      'claims department this is frank',
      'yes go ahead',
      'it was denied on november 5th',
      line,
      'no nothing is missing',
    ]);
    const reason = conversation.result.answers.find(({ key }) => key === 'denial_reason');
    expect(reason?.answer, transcriptOf(conversation)).toMatch(/referral was never sent/);
  });
});

describe('what is read from the wrong place', () => {
  test.each([
    'Your confirmation code is QB2214. Whoops, I read the row above. It is QB9056.',
    "The confirmation number's QB2214. Oops, that's the line below. QB9056 is yours.",
    "Confirmation QB2214. Hang on, that's the lady from this morning. Yours is QB9056.",
    'Confirmation number QB2214. Uh-oh, I was one line too high, QB9056.',
  ])('gives way to what is right: %s', (line) => {
    const conversation = talk(physical, [
      'Bright Smile Family Clinic, this is Bea, how can I help?',
      'I have Wednesday the 25th at 9:10 with Dr. Sato. Would that work?',
      `Done, that's booked for Wednesday the 25th at 9:10. ${line}`,
      'No, nothing to bring.',
    ]);
    expect(valuesOf(conversation).confirmation_number, transcriptOf(conversation)).toBe('QB9056');
  });
});

test('what holds once the deductible is met does not say that it is', () => {
  const conversation = talk(benefits, [
    'Summit Mutual provider line, Vera speaking.',
    'Sure, go ahead.',
    'Yes, active.',
    'It is the Gold plan.',
    'Yes, it is covered.',
    'The copay is $30.',
    "The individual deductible is $1,750 and they've satisfied $988.40.",
    "Member coinsurance is 10% once the deductible's been met.",
    'No authorization needed.',
  ]);
  const values = valuesOf(conversation);
  expect(values, transcriptOf(conversation)).toMatchObject({
    deductible: 1750,
    deductible_met: 988.4,
    coinsurance: 10,
  });
  expect(values.deductible_remaining).toBeUndefined();
});

test.each([
  'Oh, and I told you six hours before, but for that one it is 8.',
  'By the way, I said 6 hours earlier, it should be 8.',
])('an earlier figure that is named and put right is changed: %s', (line) => {
  const conversation = talk(
    {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the imaging center.',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'How many hours before an ultrasound must the patient stop eating?' },
          { index: 1, question: 'Is a referral needed?' },
          { index: 2, question: 'What is the address?' },
        ],
      },
    },
    [
      'Clear Imaging, Gina speaking, how can I help?',
      'Nothing to eat for 6 hours before the exam.',
      `${line} Yes, we need a referral.`,
      "We're at 12 Prospect Avenue.",
    ],
  );
  expect(valuesOf(conversation).question_0, transcriptOf(conversation)).toBe(8);
});

test('a fact that is asked for in short is told, and is no name of a plan', () => {
  const conversation = talk(benefits, [
    'prairie shield benefits mei speaking',
    'yes go ahead',
    'yes she is active',
    'and her birthday',
  ]);
  expect(valuesOf(conversation).plan_name, transcriptOf(conversation)).toBeUndefined();
  expect(conversation.replies.at(-1)).toMatch(/date of birth is/);
});

test('what a payment leaves of the deductible is not what has been met', () => {
  const conversation = talk(benefits, [
    'Summit Mutual provider line, Vera speaking.',
    'Sure, go ahead.',
    'Yes, active.',
    'It is the Gold plan.',
    'Yes, it is covered.',
    'The copay is $30.',
    'The deductible is $1,250.',
    'So far it is $318.75 toward the deductible. That leaves $931.25.',
    'Coinsurance is 10%.',
  ]);
  expect(valuesOf(conversation), transcriptOf(conversation)).toMatchObject({
    deductible: 1250,
    deductible_met: 318.75,
    deductible_remaining: 931.25,
  });
});

test.each([
  'As I said, the deductible is $1,250 and $300 of it has been met.',
  'I gave you the deductible, $1,250, of which $300 has been met.',
  'I told you the deductible is $1,250, but it is 10% after that.',
])('an earlier figure that is only named again stays: %s', (line) => {
  const conversation = talk(benefits, [
    'Summit Mutual provider line, Vera speaking.',
    'Sure, go ahead.',
    'Yes, active.',
    'It is the Gold plan.',
    'Yes, it is covered.',
    'The copay is $30.',
    'The deductible is $1,250.',
    line,
  ]);
  expect(valuesOf(conversation).deductible, transcriptOf(conversation)).toBe(1250);
});
