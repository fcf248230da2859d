/*
 * Examples in the document. All of it is invented: the numbers are the sandbox phone's, in a range that is never
 * assigned.
 */

export const ids = {
  project: '01a1fc97-4c1e-7b0a-9d51-3f8f0b6c2a10',
  patient: '01a1fc97-58bc-708f-8a0c-7cb537214c80',
  task: '01a1fc97-5939-7d04-b5c3-48bad54457cb',
  call: '01a1fc97-59c5-7c57-bea3-5ebc6e8ff947',
  batch: '01a1fc97-5a10-7e21-8c44-0b6a2d1f9e33',
  export: '01a1fc97-5b22-7a41-9d3e-5c1f7e8b2a64',
} as const;

const createdAt = '2026-11-20T15:04:05.678Z';
const updatedAt = '2026-11-20T15:07:21.002Z';

const maya = {
  project_id: ids.project,
  first_name: 'Maya',
  last_name: 'Rivera',
  phone_number: '+12025550142',
  date_of_birth: '1984-07-12',
} as const;

const insurance = {
  medical: [
    { company_name: 'Example Health Plan', member_id: 'EHP-000123', relationship_to_subscriber: 'SELF' },
  ],
} as const;

export const newPatient = {
  'Required members only': maya,
  'With insurance': {
    ...maya,
    external_id: 'chart-20417',
    metadata: { clinic: 'north' },
    email: 'maya@example.com',
    address: {
      street_name: '12 Example Street',
      city: 'Springfield',
      state: 'IL',
      postal_code: '62701',
      country_code: 'US',
    },
    insurance,
  },
};

export const patient = {
  ...maya,
  id: ids.patient,
  email: null,
  address: null,
  primary_care_provider: null,
  insurance,
  created_at: createdAt,
  updated_at: createdAt,
};

const order = { project_id: ids.project, patient_id: ids.patient };

export const newTasks = {
  'Schedule an appointment': {
    ...order,
    task_type: 'SCHEDULE_APPOINTMENT',
    task: 'Schedule an annual physical.',
    phone_number: '+12025550100',
    task_data: {
      timeframe_availability: 'Weekday mornings in the next two weeks',
      patient_status: 'existing',
    },
  },
  'Verify insurance': {
    ...order,
    task_type: 'VERIFY_INSURANCE',
    task: 'Find out whether physical therapy is covered, and what the copay is.',
    phone_number: '+12025550101',
    task_data: { service: { description: 'Physical therapy', cpt_codes: ['97110'] } },
  },
  'Follow up on a claim': {
    ...order,
    task_type: 'REIMBURSEMENT',
    task: 'Find out when the claim is paid.',
    phone_number: '+12025550102',
    task_data: { case_info: { number: 'CLM-48213', created_at: '2026-09-30' } },
  },
  'Ask a list of questions': {
    ...order,
    task_type: 'CUSTOM_TASK',
    task: 'Ask for the opening hours of the practice.',
    phone_number: '+12025550103',
    task_data: { questions_to_ask: [{ index: 0, question: 'When do you open on Saturdays?' }] },
  },
};

export const newTaskBatch = {
  'Two tasks': {
    tasks: [
      { ...newTasks['Verify insurance'], idempotency_key: 'coverage-20417' },
      { ...newTasks['Ask a list of questions'], external_id: 'hours-7' },
    ],
  },
};

export const acceptedBatch = {
  id: ids.batch,
  items: [
    { index: 0, id: '01a1fc97-5a10-7d04-b5c3-48bad5440000', error: null },
    {
      index: 1,
      id: null,
      error: {
        status: 404,
        code: 'not_found',
        detail: 'Patient not found',
        errors: [],
      },
    },
  ],
} as const;

const noTasks = { PENDING: 0, IN_PROGRESS: 0, COMPLETED: 0, FAILED: 0, CANCELLED: 0 };

export const taskBatch = {
  id: ids.batch,
  project_id: ids.project,
  status: 'DONE',
  item_counts: { PENDING: 0, CREATED: 1, REPLAYED: 0, REJECTED: 1, CANCELLED: 0 },
  task_counts: { ...noTasks, IN_PROGRESS: 1 },
  created_at: createdAt,
  updated_at: updatedAt,
} as const;

export const taskBatchProgress = {
  ...taskBatch,
  items: [
    {
      index: 0,
      status: 'CREATED',
      task_id: acceptedBatch.items[0].id,
      task_status: 'IN_PROGRESS',
      error: null,
    },
    { index: 1, status: 'REJECTED', task_id: null, task_status: null, error: acceptedBatch.items[1].error },
  ],
  next_cursor: null,
} as const;

export const taskForecast = {
  call: {
    will_be_made: true,
    reason: 'Outside the calling hours of the number called (08:00-21:00 in America/New_York).',
    at: '2026-11-23T13:00:00.000Z',
    calling_hours: '08:00-21:00 in America/New_York',
    time_zones: ['America/New_York'],
  },
  line: { is_free: true, reason: null },
  limits: null,
  questions: [{ key: 'appointment_time', question: 'When is the earliest appointment?', required: true }],
  facts: [{ field: 'patient.date_of_birth', label: 'date of birth' }],
  estimate: {
    minutes: 2,
    cost_usd: 0,
    most_calls: 3,
    basis:
      'Minutes of a call: measured on the sandbox phone. Calls of the sandbox cost nothing at the carrier.',
  },
} as const;

const taskFields = {
  ...order,
  id: ids.task,
  status: 'COMPLETED',
  task_type: 'SCHEDULE_APPOINTMENT',
  task: 'Schedule an annual physical.',
  task_outcome: 'Appointment booked for Wednesday, November 25, 2026 at 10:30 AM with Dr. Okafor.',
  created_at: createdAt,
  updated_at: updatedAt,
} as const;

export const task = {
  ...taskFields,
  calls: [
    {
      ...order,
      id: ids.call,
      status: 'SUCCESS',
      phone_number: '+12025550100',
      number: 1,
      started_at: createdAt,
      answered_at: '2026-11-20T15:04:12.002Z',
      ended_at: '2026-11-20T15:07:20.002Z',
      duration_seconds: 188,
      call_outcome: taskFields.task_outcome,
      created_at: createdAt,
      updated_at: updatedAt,
      recording_url: `https://api.example.com/v1/call/${ids.call}/recording`,
      transcripts: [
        {
          role: 'assistant',
          content:
            'Hello, this is an automated assistant calling on behalf of a patient. This call is recorded. ' +
            'Can you help me, please?',
        },
        { role: 'user', content: 'Good day, Riverside Family Clinic, Dana speaking. How may I help you?' },
      ],
    },
  ],
  has_more_calls: false,
};

export const listedTask = {
  ...taskFields,
  next_attempt_at: null,
  next_attempt_reason: null,
  waiting_for_line_since: null,
};

export const patientErasure = {
  id: ids.patient,
  project_id: ids.project,
  target: 'patient',
  status: 'PENDING',
  waiting_for: null,
  requested_at: updatedAt,
  completed_at: null,
} as const;

export const patientExport = {
  id: ids.export,
  project_id: ids.project,
  patient_id: ids.patient,
  status: 'PENDING',
  recordings_done: 1,
  recordings_total: 3,
  bytes: null,
  requested_at: updatedAt,
  completed_at: null,
  expires_at: null,
} as const;

export const taskErasure = { ...patientErasure, id: ids.task, target: 'task' } as const;
