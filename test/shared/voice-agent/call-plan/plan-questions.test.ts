import { describe, expect, test } from 'vitest';
import type { TaskType } from '#shared/domain/task-type.ts';
import { planOf } from './plan-of.ts';

describe('a client’s own questions', () => {
  test('are asked in index order', () => {
    const plan = planOf('CUSTOM_TASK', {
      questions_to_ask: [
        { index: 2, question: 'Third?' },
        { index: 0, question: 'First' },
        { index: 1, question: 'Second?' },
      ],
    });
    expect(plan.items.map(({ key, question }) => [key, question])).toEqual([
      ['question_0', 'First?'],
      ['question_1', 'Second?'],
      ['question_2', 'Third?'],
    ]);
  });

  test('with a duplicate index are both asked', () => {
    const plan = planOf('CUSTOM_TASK', {
      questions_to_ask: [
        { index: 0, question: 'One?' },
        { index: 0, question: 'Other?' },
      ],
    });
    expect(plan.items.map(({ key }) => key)).toEqual(['question_0', 'question_0_1']);
  });

  test.each<[string, string[]]>([
    ['What are your hours? Do you have parking?', ['What are your hours?', 'Do you have parking?']],
    [
      'Ask whether they accept Medicare and what the fee is.',
      ['Do you accept Medicare?', 'What is the fee?'],
    ],
    ['Ask about the cancellation policy.', ['Could you tell me about the cancellation policy?']],
    [
      'Cancel the subscription.',
      ['My request is the following: Cancel the subscription. What can you tell me about that?'],
    ],
  ])('are found in the description without a list: %s', (task, questions) => {
    const { items } = planOf('CUSTOM_TASK', {}, task);
    expect(items.map(({ question }) => question)).toEqual(questions);
    expect(items.every(({ required }) => required)).toBe(true);
  });

  test('in the notes are asked beside the list, unless it has the same', () => {
    const { items } = planOf(
      'CUSTOM_TASK',
      {
        questions_to_ask: [{ index: 0, question: 'Do you validate parking?' }],
        additional_context: 'Find out if they validate parking. Also ask whether forms can be mailed.',
      },
      'Ask the office about parking.',
    );
    expect(items.map(({ key, question, required }) => [key, question, required])).toEqual([
      ['question_0', 'Do you validate parking?', true],
      ['wish_0', 'Can forms be mailed?', false],
    ]);
  });

  test('that tell a known fact declare it', () => {
    const { items } = planOf('CUSTOM_TASK', {
      questions_to_ask: [{ index: 0, question: 'Is Dr. Priya Nair in on Fridays?' }],
      doctor: 'Dr. Priya Nair',
    });
    expect(items[0]?.discloses).toEqual(['task_data.doctor']);
  });
});

describe('wishes in free text', () => {
  const wishesOf = (type: TaskType, data: Record<string, unknown>, task = 'Please call.'): string[] =>
    planOf(type, data, task)
      .items.filter(({ key }) => key.startsWith('wish_'))
      .map(({ question }) => question);

  test.each<[TaskType, Record<string, unknown>, string[]]>([
    [
      'SCHEDULE_APPOINTMENT',
      { additional_context: 'Also ask whether forms can be mailed.' },
      ['Can forms be mailed?'],
    ],
    [
      'VERIFY_INSURANCE',
      { additional_context: 'Ask whether claims can be faxed.' },
      ['Can claims be faxed?'],
    ],
    [
      'REIMBURSEMENT',
      { payment_details: 'Ask if the check can be reissued.' },
      ['Can the check be reissued?'],
    ],
    [
      'CUSTOM_TASK',
      { medical_context: 'Find out if they have latex-free gloves.' },
      ['Do you have latex-free gloves?'],
    ],
    ['SCHEDULE_APPOINTMENT', { notes: { parking: 'Is there parking?' } }, ['Is there parking?']],
  ])('of a %s are asked and not required', (type, data, questions) => {
    expect(wishesOf(type, data)).toEqual(questions);
  });

  test.each<[TaskType, string]>([
    ['SCHEDULE_APPOINTMENT', 'Ask for the earliest appointment and find out what openings they have.'],
    ['VERIFY_INSURANCE', 'Find out whether the coverage is active and what the copay is.'],
    ['REIMBURSEMENT', 'Find out whether the claim was paid and ask why it was denied.'],
    [
      'REIMBURSEMENT',
      'Find out whether her urgent care claim over 310 dollars from the lake house has been paid.',
    ],
  ])('of a %s are not asked twice: %s', (type, task) => {
    expect(wishesOf(type, {}, task)).toEqual([]);
  });

  test.each(['Ask how to prepare.', 'Ask what to bring or wear.', 'Find out if she should bring anything.'])(
    'in the notes are not asked twice: %s',
    (additional_context) => {
      expect(wishesOf('SCHEDULE_APPOINTMENT', { additional_context })).toEqual([]);
    },
  );

  test('keep a choice that matters', () => {
    const additional_context = 'Ask whether the fee is due by card or cash.';
    expect(wishesOf('SCHEDULE_APPOINTMENT', { additional_context })).toEqual([
      'Is the fee due by card or cash?',
    ]);
  });

  test('enable a standard item that is rarely asked', () => {
    const { items } = planOf('REIMBURSEMENT', {
      additional_context: 'Ask for the check number and how much she owes.',
    });
    const asked = items.filter((item) => item.asked).map(({ key }) => key);
    expect(asked).toEqual(expect.arrayContaining(['payment_number', 'patient_responsibility']));
    expect(asked.filter((key) => key.startsWith('wish_'))).toEqual([]);
  });

  test('with a condition are asked if it holds', () => {
    const { items } = planOf('REIMBURSEMENT', { additional_context: 'If it was denied, ask how to appeal.' });
    expect(items.find(({ key }) => key === 'wish_0')).toMatchObject({
      question: 'Could you tell me how to appeal?',
      only_if: { key: 'claim_status', values: ['denied'], while_open: false },
    });
  });

  test('are not facts', () => {
    const { facts } = planOf('SCHEDULE_APPOINTMENT', {
      medical_context: 'Latex allergy. Ask whether they have latex-free gloves.',
      question: 'Is there parking?',
    });
    expect(facts.filter(({ topic }) => topic === 'other').map(({ value }) => value)).toEqual([
      'Latex allergy.',
    ]);
  });
});

describe('the reason for the call', () => {
  test.each<[TaskType, string, Record<string, unknown>, [purpose: string, details: string], string[]]>([
    [
      'SCHEDULE_APPOINTMENT',
      'Schedule an annual physical for Elena Marsh with Dr. Sumner.',
      {},
      [
        'I would like to schedule an appointment for a patient.',
        'The patient would like to see Dr. Sumner, for an annual physical.',
      ],
      ['visit.preferred_provider', 'visit.reason'],
    ],
    [
      'SCHEDULE_APPOINTMENT',
      'Move the appointment.',
      {
        is_rescheduling: true,
        existing_appointment: 'Hand therapy with Ingrid Sorensen, next Wednesday at 2 PM',
        reschedule_reason: 'She is travelling that week',
      },
      [
        'I would like to reschedule an existing appointment for a patient.',
        'It is hand therapy with Ingrid Sorensen, Wednesday, March 11 at 2 PM.',
      ],
      ['task_data.existing_appointment'],
    ],
    [
      'VERIFY_INSURANCE',
      'Verify benefits for an outpatient sleep study.',
      {},
      [
        'I would like to verify the insurance coverage and benefits of a patient.',
        'It is for an outpatient sleep study.',
      ],
      ['task.service'],
    ],
    [
      'REIMBURSEMENT',
      'Check the claim.',
      { treatment_background: 'MRI of the left shoulder', bill: { amount: '640.00' } },
      ['I would like to check the status of a reimbursement claim for a patient.', ''],
      [],
    ],
    [
      'CUSTOM_TASK',
      'Ask the office about forms.',
      {},
      ['I have one question for a patient.', 'It is about forms.'],
      ['task'],
    ],
  ])('of a %s is stated: %s', (type, task, data, [purpose, details], discloses) => {
    const plan = planOf(type, data, task);
    expect(plan.purpose).toEqual({ text: purpose, discloses: [] });
    expect(plan.details).toEqual({ text: details, discloses });
  });
});

test('neighboring questions of a kind are asked again in different words', () => {
  const questions_to_ask = ['Do you mail forms?', 'Do you fax forms?'].map((question, index) => ({
    index,
    question,
  }));
  const { items } = planOf('CUSTOM_TASK', { questions_to_ask });
  const leads = items.map(({ question, rephrase }) => rephrase?.replace(question, ''));
  expect(new Set(leads.slice(0, 2)).size).toBe(2);
});
