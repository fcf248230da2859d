import type { TaskInput } from '../../../support/conversation.ts';
import type { Dialogue } from './dialogue.ts';

/*
 * Words that come after a question without answering it: talk to others, remarks, courtesies, offers of things to buy,
 * and answers to the question before.
 */

const pharmacy: TaskInput = {
  task_type: 'CUSTOM_TASK',
  task: 'Ask the pharmacy.',
  task_data: {
    questions_to_ask: [
      { index: 0, question: 'What are your hours on Sundays?' },
      { index: 1, question: 'Who is in charge of compounding?' },
      { index: 2, question: 'Where can one park?' },
    ],
  },
};

const scans: TaskInput = {
  task_type: 'CUSTOM_TASK',
  task: 'Ask the imaging center.',
  task_data: {
    questions_to_ask: [
      { index: 0, question: 'How much is an ultrasound without insurance?' },
      { index: 1, question: 'How many days until the images are ready?' },
      { index: 2, question: 'Do you have evening appointments?' },
    ],
  },
};

export const lateAndEmptyDialogues: readonly Dialogue[] = [
  {
    name: 'somebody who talks to customers and chats between the answers',
    task: pharmacy,
    lines: [
      'Corner Drugs, this is Petra.',
      'Yeah, sure thing, fire away.',
      'One second. Sir, your change is three twenty. Sorry, where were we?',
      'Sundays we are here from ten to four.',
      'My sister went to school with somebody like you.',
      'Compounding is done by Marcus Bell.',
      'Wonderful, go for it.',
      'Behind the building, there are six spaces.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: null, question_1: null, question_2: null },
    answers: {
      question_0: 'Sundays we are here from ten to four.',
      question_1: 'Compounding is done by Marcus Bell.',
      question_2: 'Behind the building, there are six spaces.',
    },
    discloses: [],
  },
  {
    name: 'answers that come after the next question, and belong to the one before',
    task: scans,
    lines: [
      'Imaging, Tess speaking.',
      'Oh sure.',
      'Most insurance pays for it, you know.',
      'It takes a while to look up.',
      'The cash price for an ultrasound is $180.',
      'The images take two days.',
      'Two days, yes.',
      'Yes, we have evening appointments on Wednesdays.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: 180, question_1: 2, question_2: true },
    discloses: [],
  },
  {
    name: 'a fund whose mailroom answers, and whose examiner announces every step',
    task: {
      task_type: 'REIMBURSEMENT',
      task: 'Check the claim.',
      task_data: { case_info: { number: 'CLM-88123' } },
    },
    lines: [
      'Carpenters Fund, Hal speaking.',
      "That's us, yes. No, I only sort the mail. Lemme get you Irene.",
      'Irene, claims.',
      'Okay, first things first.',
      'And the claim number?',
      'Yep.',
      'That matches.',
      'It was denied on October 5th.',
      'It was denied on October 5th.',
      'The reason given is that the service was not authorized.',
      "We don't need a thing.",
      'Appeals can be faxed to 202-555-0138.',
      'You have 90 days to appeal.',
      "It's 55012. Hold on, that's the gentleman before you. Yours is 55120.",
      'Yes.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: {
      claim_status: 'denied',
      processed_date: '2026-10-05',
      denial_reason: null,
      missing_documents: false,
      appeal_deadline: null,
      reference_number: '55120',
    },
    answers: {
      denial_reason: 'The reason given is that the service was not authorized.',
      appeal_deadline: 'You have 90 days to appeal.',
    },
    discloses: ['task_data.case_info.number'],
  },
  {
    name: 'somebody who sells memberships and wants a card number',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the optician.',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'How many weeks do new glasses take?' },
          { index: 1, question: 'How much is an eye exam?' },
        ],
      },
    },
    lines: [
      'Bright Optics office, this is Joss.',
      'Before that, are you interested in joining our Savings Club?',
      "It's twelve dollars a month.",
      "All I'd need is a card number, and I can sign her right up.",
      'Are you sure?',
      'New glasses take two weeks.',
      'We also have a rewards program, only five dollars a month. Should I put you down? The exam is $95.',
      'Right.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: 2, question_1: 95 },
    discloses: [],
  },
];
