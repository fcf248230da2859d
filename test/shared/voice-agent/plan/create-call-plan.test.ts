import { describe, expect, test } from 'vitest';
import type { TaskType } from '#shared/domain/task-type.ts';
import { CallPlan, type FactTopic } from '#shared/voice-agent/plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/plan/create-call-plan.ts';
import { openingWords, reachQuestion } from '#shared/voice-agent/scripted-model/phrasing.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

function planOf(
  task_type: TaskType,
  task_data: Record<string, unknown> | null = null,
  task = 'Carry out the task.',
): CallPlan {
  return createCallPlan(
    sampleTask(sampleProject(), { task_type, task_data, task }),
    patient,
    sampleProject(),
  );
}

function spoken(plan: CallPlan, topic: FactTopic): string | undefined {
  return plan.facts.find((fact) => fact.topic === topic)?.spoken;
}

describe('every plan', () => {
  test.each(['SCHEDULE_APPOINTMENT', 'VERIFY_INSURANCE', 'REIMBURSEMENT', 'CUSTOM_TASK'] as const)(
    'of a %s can be made without any task data, and survives being stored',
    (type) => {
      const plan = planOf(type);
      expect(CallPlan.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
      expect(plan.items.some(({ required }) => required)).toBe(true);
      expect(plan.items.some(({ asked }) => asked)).toBe(true);
    },
  );

  test('tells nobody the patient before it is known who listens', () => {
    for (const type of [
      'SCHEDULE_APPOINTMENT',
      'VERIFY_INSURANCE',
      'REIMBURSEMENT',
      'CUSTOM_TASK',
    ] as const) {
      const plan = planOf(
        type,
        { speciality_preferences: 'Oncology' },
        'Schedule chemotherapy for Elena Marsh.',
      );
      const said = `${openingWords()} ${plan.subject} ${reachQuestion(plan)}`;
      expect(said).not.toMatch(/Elena|Marsh|1979|chemo|oncology|Sample Mutual/i);
      expect(plan.purpose.text).not.toMatch(/Elena|Marsh|1979|chemo/i);
    }
  });

  test('knows the patient, in words that can be written down by ear', () => {
    const plan = planOf('CUSTOM_TASK');
    expect(spoken(plan, 'patient-name')).toBe('Elena Marsh');
    expect(spoken(plan, 'date-of-birth')).toBe('March 5, 1979');
    expect(spoken(plan, 'phone')).toBe('2 0 2, 5 5 5, 0 1 4 7');
    expect(spoken(plan, 'member-id')).toBe('S M X, 5 5 1, 2 0 9, 8 7');
    expect(spoken(plan, 'address')).toBe('4 Alder Court, Dayton, OH, 4 5 4 0 2');
    expect(spoken(plan, 'email')).toBe('elena dot marsh at example dot com');
  });

  test('keeps members that the specification does not name, each as a fact of its own', () => {
    const plan = planOf('SCHEDULE_APPOINTMENT', {
      medical_context: { allergies: ['latex', 'penicillin'], interpreter_needed: true },
      preferred_language: 'Spanish',
    });
    expect(plan.facts.filter(({ topic }) => topic === 'other')).toEqual([
      {
        field: 'task_data.medical_context.allergies',
        topic: 'other',
        label: 'allergies',
        value: 'latex, penicillin',
        spoken: 'latex, penicillin',
      },
      {
        field: 'task_data.medical_context.interpreter_needed',
        topic: 'other',
        label: 'interpreter needed',
        value: 'yes',
        spoken: 'yes',
      },
      {
        field: 'task_data.preferred_language',
        topic: 'other',
        label: 'preferred language',
        value: 'Spanish',
        spoken: 'Spanish',
      },
    ]);
  });
});

describe('an appointment', () => {
  test.each([
    ['Cardiology', 'I would like to schedule an appointment in cardiology for a patient.'],
    ['cardiologist', 'I would like to schedule an appointment with a cardiologist for a patient.'],
    ['Dr. Okafor', 'I would like to schedule an appointment with Dr. Okafor for a patient.'],
    [
      'A woman who speaks Spanish',
      'I would like to schedule an appointment for a patient. The preference is: A woman who speaks Spanish.',
    ],
    [undefined, 'I would like to schedule an appointment for a patient.'],
  ])('for %s says so in its purpose', (speciality_preferences, purpose) => {
    const plan = planOf('SCHEDULE_APPOINTMENT', { speciality_preferences });
    expect(plan.purpose.text).toBe(purpose);
    expect(plan.purpose.discloses).toEqual(
      speciality_preferences === undefined ? [] : ['task_data.speciality_preferences'],
    );
  });

  test('that is moved is called so', () => {
    expect(planOf('SCHEDULE_APPOINTMENT', { is_rescheduling: true }).purpose.text).toMatch(/reschedule/);
  });

  test.each<[task: string, data: Record<string, unknown>, reason: string | undefined]>([
    ['Schedule a follow-up visit for Elena Marsh for recurring migraines.', {}, 'recurring migraines'],
    ['Schedule an annual physical for Elena Marsh with her doctor.', {}, 'annual physical'],
    ['Book a dermatology appointment because of a rash on the arm.', {}, 'a rash on the arm'],
    ['Please call.', { additional_context: 'The patient needs to be seen for knee pain.' }, 'knee pain'],
    ['Please call.', { visit_reason: 'Flu shot' }, 'Flu shot'],
    ['Please call.', { speciality_preferences: 'Cardiology' }, 'a cardiology visit'],
    ['Call the clinic for the patient next week.', {}, undefined],
  ])('takes its reason from the words: %s', (task, data, reason) => {
    expect(spoken(planOf('SCHEDULE_APPOINTMENT', data, task), 'visit-reason')).toBe(reason);
  });

  test('knows new patients from existing ones', () => {
    const status = (data: Record<string, unknown>): string | undefined =>
      spoken(planOf('SCHEDULE_APPOINTMENT', data), 'patient-status');
    expect(status({ patient_status: 'New patient' })).toBe('new');
    expect(status({ patient_status: 'established' })).toBe('existing');
    expect(status({ previous_visits: [{ purpose: 'physical', date: '2025-02-01' }] })).toBe('existing');
    expect(status({})).toBeUndefined();
  });
});

describe('benefits', () => {
  test('are asked for with the service in them, and asking tells it', () => {
    const plan = planOf('VERIFY_INSURANCE', { service: { description: 'Outpatient physical therapy' } });
    const item = plan.items.find(({ key }) => key === 'service_covered');
    expect(item).toMatchObject({
      question: 'Is outpatient physical therapy covered?',
      discloses: ['task_data.service.description'],
      asked: true,
    });
  });

  test('the task’s own insurance counts more than the patient’s record', () => {
    const plan = planOf('VERIFY_INSURANCE', { insurance: { member_id: 'ZZ9' } });
    expect(plan.facts.filter(({ topic }) => topic === 'member-id')).toMatchObject([
      { field: 'task_data.insurance.member_id', value: 'ZZ9' },
    ]);
  });

  test('that the description speaks of are asked for, too', () => {
    const asked = (task: string): string[] =>
      planOf('VERIFY_INSURANCE', {}, task)
        .items.filter((item) => item.asked)
        .map(({ key }) => key);
    expect(asked('Verify benefits.')).not.toContain('visit_limit');
    expect(asked('Verify benefits and the visit limit, and whether a referral is needed.')).toEqual(
      expect.arrayContaining(['visit_limit', 'referral_required']),
    );
  });
});

describe('a client’s own questions', () => {
  test('are asked in the order of their index', () => {
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

  test('with one index twice are both asked', () => {
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
      ['Could you tell me whether you accept Medicare?', 'Could you tell me what the fee is?'],
    ],
    ['Ask about the cancellation policy.', ['Could you tell me about the cancellation policy?']],
  ])('are found in the description when there is no list: %s', (task, questions) => {
    expect(planOf('CUSTOM_TASK', {}, task).items.map(({ question }) => question)).toEqual(questions);
  });

  test.each([
    ['Do you accept Medicaid?', 'yes-no'],
    ['What is your fax number?', 'phone-number'],
    ['How much is a copy?', 'money'],
    ['How many refills are left?', 'number'],
    ['What is the tax ID of the practice?', 'identifier'],
    ['Which doctors speak Spanish?', 'text'],
    ['Can you tell me what to bring?', 'text'],
  ])('%s is answered by %s', (question, kind) => {
    const plan = planOf('CUSTOM_TASK', { questions_to_ask: [{ index: 0, question }] });
    expect(plan.items[0]?.kind).toBe(kind);
  });
});
