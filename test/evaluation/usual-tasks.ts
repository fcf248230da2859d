import type { TaskType } from '#shared/domain/task-type.ts';

/** What a client requests if a person's file does not say otherwise: one invented patient, one task of each type. */

/** The wording of a call depends on its two numbers, so each seed is a project with its own caller number. */
export const callerNumbers = [4, 5, 6, 7, 8, 9].map((digit) => `+1202555010${digit}`);

export function callerNumberOf(seed: number): string {
  const number = callerNumbers[seed];
  if (number === undefined) throw new Error(`there is no seed ${seed}`);
  return number;
}

/** For a person whose line is busy at first; everyone else is called once. */
export const insistent = { max_attempts: 3, delays_seconds: [0] };
export const once = { max_attempts: 1, delays_seconds: [0] };

export const usualPatient = {
  first_name: 'Nora',
  last_name: 'Castellan',
  phone_number: '+12025550143',
  email: 'nora.castellan@example.com',
  date_of_birth: '1987-02-19',
  address: {
    street_name: '52 Larkspur Way',
    city: 'Springfield',
    state: 'IL',
    postal_code: '62704',
    country_code: 'US',
  },
  primary_care_provider: { name: 'Dr. Helen Okafor', practice: 'Riverside Family Clinic' },
  insurance: {
    medical: [
      {
        company_name: 'Example Health Plan',
        member_id: 'EHP731904462',
        group_number: '81533',
        plan_name: 'Choice PPO',
        relationship_to_subscriber: 'SELF',
      },
    ],
  },
};

interface UsualTask {
  readonly task: string;
  readonly task_data: Readonly<Record<string, unknown>>;
}

export const usualTasks: Record<TaskType, UsualTask> = {
  SCHEDULE_APPOINTMENT: {
    task: 'Schedule an annual physical for Nora Castellan.',
    task_data: {
      timeframe_availability: 'Weekday mornings within the next two weeks',
      patient_status: 'existing',
      additional_context: 'Annual physical examination.',
    },
  },
  VERIFY_INSURANCE: {
    task: 'Verify coverage and benefits for physical therapy and whether it needs pre-authorization.',
    task_data: {
      service: { description: 'Outpatient physical therapy', cpt_codes: ['97110', '97140'] },
      provider: { name: 'Dr. Helen Okafor', npi: '1234567893', facility: 'Riverside Family Clinic' },
      insurance: {
        company_name: 'Example Health Plan',
        member_id: 'EHP731904462',
        group_number: '81533',
        relationship_to_subscriber: 'SELF',
      },
    },
  },
  REIMBURSEMENT: {
    task: 'Find out the status of the reimbursement claim for a shoulder MRI and when it will be paid.',
    task_data: {
      case_info: { number: 'CLM-5520817', created_at: '2026-09-14' },
      bill: { number: 'INV-48213', amount: '640.00' },
      reimbursement_status: 'Submitted, no answer yet',
      treatment_background: 'MRI of the left shoulder',
      primary_insurance: { company_name: 'Example Health Plan', member_id: 'EHP731904462' },
    },
  },
  CUSTOM_TASK: { task: 'Ask the office a few questions.', task_data: {} },
};
