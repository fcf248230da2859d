import type { Dialogue } from './dialogue.ts';

/** Those who answer when a list of questions is asked, all invented. */
export const questionDialogues: readonly Dialogue[] = [
  {
    name: 'a pharmacy',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the pharmacy.',
      task_data: {
        questions_to_ask: [
          { index: 2, question: 'How long does a refill take?' },
          { index: 0, question: 'Do you deliver?' },
          { index: 1, question: 'What is the delivery fee?' },
          { index: 3, question: 'What is your fax number?' },
        ],
      },
    },
    lines: [
      'Main Street Pharmacy, Al.',
      'Sure, go ahead.',
      'We do, within five miles.',
      'What was the question?',
      "It's free over 35 dollars, otherwise $4.99.",
      'Not long.',
      'Usually two business days.',
      '202 555 0151.',
      'Yes, that is right.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: true, question_1: 4.99, question_2: null, question_3: '+12025550151' },
    discloses: [],
  },
  {
    name: 'questions that stand in the description',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask whether they accept Medicare and what the cancellation policy is.',
      task_data: {},
    },
    lines: [
      "Hello, Dr. Grant's office, who is calling?",
      'Okay, what is it about?',
      'Yes, we do take Medicare.',
      'You need to cancel 24 hours ahead or there is a $50 fee. Is this for a current patient?',
      'Okay.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: true, question_1: null },
    discloses: [],
  },
  {
    name: 'an office that is vague at first',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'x',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'How far out are you booking new patients?' },
          { index: 1, question: 'Do you offer video visits?' },
        ],
      },
    },
    lines: [
      'Office.',
      'It depends on the doctor.',
      'For Dr. Hall about three weeks, for the others six.',
      'For some things, yes.',
      'Yes, we do video visits for follow-ups.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: null, question_1: true },
    discloses: [],
  },
  {
    name: 'an office with many answers',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the office.',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'Is Dr. Cole accepting new patients?' },
          { index: 1, question: 'What is the cost of a new patient visit without insurance?' },
          { index: 2, question: 'Do you have evening appointments?' },
          { index: 3, question: 'How do I send medical records?' },
          { index: 4, question: 'What is the NPI of Dr. Cole?' },
        ],
      },
    },
    lines: [
      'Cole Family Medicine, this is Iris, how can I help?',
      "He is, but he's booking into January.",
      "That'd be between 150 and 220 depending on the visit.",
      'Only on Wednesdays, till seven.',
      'You can fax them to 202-555-0139 or drop them off at the desk.',
      'Let me look that up. It is 1 8 8 0 2 2 3 3 4 4.',
      'Yes, that is right.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: {
      question_0: true,
      question_1: null,
      question_2: true,
      question_3: null,
      question_4: '1880223344',
    },
    discloses: [],
  },
  {
    name: 'somebody suspicious',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the office.',
      task_data: { questions_to_ask: [{ index: 0, question: 'Do you accept Medicaid?' }] },
    },
    lines: [
      'Who is this? Is this some kind of sales call?',
      'Okay... this is the front desk, what do you want to know?',
      'We do not take Medicaid, no.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: false },
    discloses: [],
  },
  {
    name: 'one-word answers',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the office.',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'Are walk-ins allowed?' },
          { index: 1, question: 'When do you close on Fridays?' },
        ],
      },
    },
    lines: ['Yes?', 'Yes.', 'Yes.', 'Four.'],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: true, question_1: null },
    discloses: [],
  },
  {
    name: 'an office that asks back',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the office.',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'Can you email the visit summary?' },
          { index: 1, question: 'How long does that take?' },
        ],
      },
    },
    lines: [
      'Hello, reception.',
      'What is the patient name?',
      'And date of birth?',
      'Yes, we can email it, what is the email address?',
      'Thank you. That takes a day or two.',
    ],
    isOver: false,
    goal: false,
    definite: false,
    values: { question_0: true },
    discloses: ['patient.date_of_birth', 'patient.email', 'patient.name'],
  },
  {
    name: 'somebody who has to go',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the office.',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'Do you offer flu shots?' },
          { index: 1, question: 'What do they cost?' },
        ],
      },
    },
    lines: [
      'Hi.',
      'Yes, this is the office.',
      'Yes we do. Sorry, I have a patient here, I have to go. Bye.',
      'They are $30. Bye.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: true, question_1: 30 },
    discloses: [],
  },
  {
    name: 'an answer that answers the next question, too',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the office.',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'Do you see children?' },
          { index: 1, question: 'From what age?' },
        ],
      },
    },
    lines: ["Hi, Dr. Bell's office.", 'We see kids from age three up.', 'Three.'],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: true, question_1: null },
    discloses: [],
  },
  {
    name: 'answers with conditions',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the office.',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'Do you have same-day appointments?' },
          { index: 1, question: 'How long is the wait for a physical?' },
          { index: 2, question: 'What is your email for records?' },
        ],
      },
    },
    lines: [
      'Hello, this is the office.',
      'Sometimes, if you call before nine.',
      'Yes, if you call before nine.',
      "I'd say six weeks, give or take.",
      'records at office dot example.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: true, question_1: null, question_2: null },
    discloses: [],
  },
];
