import { describe, expect, test } from 'vitest';
import { AgentSettings } from '#shared/domain/agent-settings.ts';
import { defaultCallPolicy } from '#shared/domain/project.ts';
import { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';
import { planOf, spoken } from './plan-of.ts';

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

  test('reveals nothing about the patient before verification', () => {
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
      expect(plan.subject).not.toMatch(/Elena|Marsh|1979|chemo|oncology|Sample Mutual/i);
      expect(plan.purpose.text).not.toMatch(/Elena|Marsh|1979/i);
    }
  });

  test("excludes the client's metadata", () => {
    const attached = { external_id: 'chart-20417', metadata: { clinic: 'north-20417' } };
    const task = sampleTask(sampleProject(), { ...attached, task: 'Carry out the task.' });
    const plan = createCallPlan(task, { ...patient, ...attached }, sampleProject());
    expect(JSON.stringify(plan)).not.toMatch(/20417|clinic/);
  });

  test('describes the patient in words that can be written down by ear', () => {
    const plan = planOf('CUSTOM_TASK');
    expect(spoken(plan, 'patient-name')).toBe('Elena Marsh');
    expect(spoken(plan, 'date-of-birth')).toBe('March 5, 1979');
    expect(spoken(plan, 'phone')).toBe('2 0 2, 5 5 5, 0 1 4 7');
    expect(spoken(plan, 'member-id')).toBe('S M X, 5 5 1, 2 0 9, 8 7');
    expect(spoken(plan, 'address')).toBe('4 Alder Court, Dayton, OH, 4 5 4 0 2');
    expect(spoken(plan, 'email')).toBe('elena dot marsh at example dot com');
  });

  test('keeps unspecified members, each as a separate fact', () => {
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
        may_be_told: true,
      },
      {
        field: 'task_data.medical_context.interpreter_needed',
        topic: 'other',
        label: 'interpreter needed',
        value: 'yes',
        spoken: 'yes',
        may_be_told: true,
      },
      {
        field: 'task_data.preferred_language',
        topic: 'other',
        label: 'preferred language',
        value: 'Spanish',
        spoken: 'Spanish',
        may_be_told: true,
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
    const plan = planOf('SCHEDULE_APPOINTMENT', { speciality_preferences }, 'Please call.');
    expect(plan.purpose.text).toBe(purpose);
    expect(plan.purpose.discloses).toEqual(
      speciality_preferences === undefined ? [] : ['task_data.speciality_preferences'],
    );
  });

  test('to be moved is named as such', () => {
    expect(planOf('SCHEDULE_APPOINTMENT', { is_rescheduling: true }).purpose.text).toMatch(/reschedule/);
  });

  test.each<[task: string, data: Record<string, unknown>, reason: string | undefined]>([
    ['Schedule a follow-up visit for Elena Marsh for recurring migraines.', {}, 'recurring migraines'],
    ['Schedule an annual physical for Elena Marsh with her doctor.', {}, 'an annual physical'],
    ['Book a dermatology appointment because of a rash on the arm.', {}, 'a rash on the arm'],
    ['Please call.', { additional_context: 'The patient needs to be seen for knee pain.' }, 'knee pain'],
    ['Please call.', { visit_reason: 'Flu shot' }, 'Flu shot'],
    ['Call the clinic for the patient next week.', {}, undefined],
    ['Schedule a new-patient visit with a family doctor.', {}, undefined],
    ['Schedule a first-trimester scan for Elena Marsh.', {}, 'a first-trimester scan'],
  ])('takes its reason from the words: %s', (task, data, reason) => {
    expect(spoken(planOf('SCHEDULE_APPOINTMENT', data, task), 'visit-reason')).toBe(reason);
  });

  test('distinguishes new from existing patients', () => {
    const status = (data: Record<string, unknown>): string | undefined =>
      spoken(planOf('SCHEDULE_APPOINTMENT', data), 'patient-status');
    expect(status({ patient_status: 'New patient' })).toBe('a new patient');
    expect(status({ patient_status: 'established' })).toBe('an existing patient');
    expect(status({ previous_visits: [{ purpose: 'physical', date: '2025-02-01' }] })).toBe(
      'an existing patient',
    );
    expect(status({})).toBeUndefined();
  });
});

describe('benefits', () => {
  test('are asked with the service, which the question discloses', () => {
    const plan = planOf('VERIFY_INSURANCE', { service: { description: 'Outpatient physical therapy' } });
    const item = plan.items.find(({ key }) => key === 'service_covered');
    expect(item).toMatchObject({
      question: 'Is outpatient physical therapy covered?',
      discloses: ['task_data.service.description'],
      asked: true,
    });
  });

  test('use the task’s own insurance before the patient’s record', () => {
    const plan = planOf('VERIFY_INSURANCE', { insurance: { member_id: 'ZZ9' } });
    expect(plan.facts.filter(({ topic }) => topic === 'member-id')).toMatchObject([
      { field: 'task_data.insurance.member_id', value: 'ZZ9' },
    ]);
  });

  test('in the description are asked, too', () => {
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

test('a date of service comes from the words about the treatment', () => {
  const plan = planOf('REIMBURSEMENT', { treatment_data: 'MRI on January 14' });
  expect(spoken(plan, 'service-date')).toBe('January 14, 2026');
  expect(spoken(planOf('REIMBURSEMENT', { date_of_service: '2026-01-14' }), 'service-date')).toBe(
    'January 14, 2026',
  );
});

test('availability comes from its member, or from the description', () => {
  const wished = (task: string, data: Record<string, unknown> = {}) =>
    planOf('SCHEDULE_APPOINTMENT', data, task).availability;
  expect(wished('Schedule a visit within the next two weeks.')).toMatchObject({
    text: 'within the next two weeks',
    last_day: '2026-03-16',
  });
  expect(wished('Schedule a visit next week.', { timeframe_availability: 'mornings' })).toMatchObject({
    text: 'mornings',
    last_day: null,
  });
  expect(wished('Schedule a visit for Elena Marsh.')).toMatchObject({ text: null, not_understood: [] });
});

describe('the callback number', () => {
  const plan = (own: string | null, ofVoicemail: string | null, caller = '+12025550199') => {
    const project = sampleProject({
      caller_number: caller,
      call_policy: { ...defaultCallPolicy, callback_number: ofVoicemail },
    });
    const settings = AgentSettings.parse({ callback_number: own });
    return createCallPlan(sampleTask(project), patient, project, settings);
  };

  test.each([
    [null, null, '+12025550199', '+12025550199'],
    [null, '+12025550150', '+12025550150', '+12025550150'],
    ['+12025550160', null, '+12025550160', '+12025550160'],
    ['+12025550160', '+12025550150', '+12025550160', '+12025550150'],
  ])('is %s or %s, else the calling one', (own, ofVoicemail, told, left) => {
    const { identity, voicemail } = plan(own, ofVoicemail);
    expect([identity.callback_number, voicemail?.callback_number]).toEqual([told, left]);
  });

  test('is never the patient’s', () => {
    const patients = patient.phone_number;
    expect(plan(patients, patients)).toMatchObject({
      identity: { callback_number: '+12025550199' },
      voicemail: { callback_number: '+12025550199' },
    });
    expect(plan(patients, null, patients)).toMatchObject({
      identity: { callback_number: null },
      voicemail: null,
    });
  });
});

test('a plan from before a deployment can still be read', () => {
  const { availability, identity, ...plan } = planOf('SCHEDULE_APPOINTMENT', {
    timeframe_availability: 'mornings',
  });
  const old = {
    ...plan,
    facts: plan.facts.map(({ may_be_told, ...fact }) => fact),
    items: plan.items.map(({ rephrase2, ...item }) => item),
    time_wishes: {
      text: 'mornings',
      first_day: null,
      last_day: null,
      possible: [{ weekdays: null, days: null, from: 0, to: 720 }],
      preferred: [],
      excluded: [],
    },
  };
  const read = CallPlan.parse(old);
  expect(read.availability).toEqual(availability);
  expect(read.facts.every(({ may_be_told }) => may_be_told)).toBe(true);
  expect(read.identity.callback_number).toBeNull();
  expect(identity.callback_number).toBe('+12025550199');
});
