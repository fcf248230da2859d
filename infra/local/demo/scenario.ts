/**
 * The demo: one invented patient and one task of each type, each to the sandbox number of a persona who can help. The
 * bodies are exactly what a client would post.
 */

export const demoPatient = {
  first_name: 'Maya',
  last_name: 'Rivera',
  phone_number: '+12025550142',
  email: 'maya.rivera@example.com',
  date_of_birth: '1984-07-12',
  address: {
    street_name: '18 Juniper Lane',
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
        member_id: 'EHP204518837',
        group_number: '70412',
        plan_name: 'Choice PPO',
        phone_number: '+12025550101',
        relationship_to_subscriber: 'SELF',
      },
    ],
    dental: [],
    vision: [],
  },
};

export interface DemoTask {
  /** Short name for progress lines and recording files. */
  readonly label: string;
  readonly body: {
    readonly task_type: string;
    readonly task: string;
    readonly phone_number: string;
    readonly task_data: Record<string, unknown>;
  };
}

export const demoTasks: readonly DemoTask[] = [
  {
    label: 'appointment',
    body: {
      task_type: 'SCHEDULE_APPOINTMENT',
      task: 'Schedule an annual physical for Maya Rivera with her primary care provider.',
      phone_number: '+12025550100',
      task_data: {
        timeframe_availability: 'Weekday mornings within the next two weeks',
        speciality_preferences: 'Primary care',
        patient_status: 'existing',
        additional_context: 'Annual physical examination.',
      },
    },
  },
  {
    label: 'insurance',
    body: {
      task_type: 'VERIFY_INSURANCE',
      task: 'Verify coverage and benefits for physical therapy and whether it needs pre-authorization.',
      phone_number: '+12025550101',
      task_data: {
        service: { description: 'Outpatient physical therapy', cpt_codes: ['97110', '97140'] },
        provider: { name: 'Dr. Helen Okafor', npi: '1234567893', facility: 'Riverside Family Clinic' },
        insurance: {
          company_name: 'Example Health Plan',
          member_id: 'EHP204518837',
          group_number: '70412',
          relationship_to_subscriber: 'SELF',
        },
      },
    },
  },
  {
    label: 'reimbursement',
    body: {
      task_type: 'REIMBURSEMENT',
      task: 'Find out the status of the reimbursement claim for a knee MRI and when it will be paid.',
      phone_number: '+12025550102',
      task_data: {
        case_info: { number: 'CLM-7741902', created_at: '2026-10-05' },
        bill: { number: 'INV-20931', amount: '640.00' },
        reimbursement_status: 'Submitted, no answer yet',
        treatment_background: 'MRI of the right knee',
        primary_insurance: { company_name: 'Example Health Plan', member_id: 'EHP204518837' },
      },
    },
  },
  {
    label: 'questions',
    body: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the practice about its opening hours and how to send in medical records.',
      phone_number: '+12025550103',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'What are your office hours?' },
          { index: 1, question: 'What is the fax number for medical records?' },
          { index: 2, question: 'Are you accepting new patients?' },
        ],
      },
    },
  },
];
