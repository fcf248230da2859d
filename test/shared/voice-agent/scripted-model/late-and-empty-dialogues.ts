import type { TaskInput } from '../../../support/conversation.ts';
import type { Dialogue } from './dialogues.ts';

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
];
