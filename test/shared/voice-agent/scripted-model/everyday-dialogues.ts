import type { TaskInput } from '../../../support/conversation.ts';
import type { Dialogue } from './dialogue.ts';

/*
 * How people talk at work: short forms, plain lower case, thinking aloud, words for somebody at the counter.
 */

const claim: TaskInput = {
  task_type: 'REIMBURSEMENT',
  task: 'Check the status of the claim.',
  task_data: { case_info: { number: 'TR-5508' } },
};

const pharmacy: TaskInput = {
  task_type: 'CUSTOM_TASK',
  task: 'Ask the pharmacy.',
  task_data: {
    questions_to_ask: [
      { index: 0, question: 'How much does a month of generic lisinopril cost without insurance?' },
      { index: 1, question: 'Do you deliver prescriptions?' },
      { index: 2, question: 'Is the pharmacy open on Sundays?' },
    ],
  },
};

const records: TaskInput = {
  task_type: 'CUSTOM_TASK',
  task: 'Ask about records.',
  task_data: {
    questions_to_ask: [
      { index: 0, question: 'What is the name of the department that keeps old charts?' },
      { index: 1, question: 'How many days does a copy take?' },
    ],
  },
};

export const everydayDialogues: readonly Dialogue[] = [
  {
    name: 'a claims clerk without punctuation, and a claim that went through',
    task: claim,
    lines: [
      'claims this is nadine',
      'yes of course whose claim is it',
      'okay and just the birthday for me',
      "and what's the claim number",
      "that's her oh sure that one went threw they cut the check on the second",
      'it was $118.40',
      "no no we're not waiting on anything it's all done",
      'sure the number is n d 4 4 7 1',
      "you're talking to nadine",
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: {
      claim_status: 'paid',
      payment_date: '2026-11-02',
      paid_amount: 118.4,
      missing_documents: false,
      reference_number: 'ND4471',
      person_name: 'Nadine',
    },
    discloses: ['patient.name', 'patient.date_of_birth', 'task_data.case_info.number'],
  },
  {
    name: 'a claim that nobody has paid or denied, and a note that is read first',
    task: claim,
    lines: [
      'Claims, this is Orla.',
      'Sure. Claim number.',
      'DOB on the member.',
      'It sits with the nurses. No one has paid or denied it.',
      'Let me read what they wrote.',
      'They need the surgical report.',
      'Fax it to 202-555-0183.',
      'Twenty business days after that.',
      'O R 5 5 1 2.',
      "That's right.",
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: {
      claim_status: 'pending',
      missing_documents: true,
      send_documents_to: null,
      expected_decision: null,
      reference_number: 'OR5512',
    },
    answers: { missing_documents: 'They need the surgical report.' },
    discloses: ['patient.date_of_birth', 'task_data.case_info.number'],
  },
  {
    name: 'a denial that is taken back when its reason is asked for',
    task: claim,
    lines: [
      'Claims, this is Ted.',
      'Sure, go ahead. Claim number.',
      'That one was denied.',
      "Sorry, it hasn't been denied at all. It's still being looked at.",
      'No, nothing is missing.',
      'Within ten days.',
      'Reference is T 4 4 1.',
      "That's right.",
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: {
      claim_status: 'pending',
      missing_documents: false,
      expected_decision: null,
      reference_number: 'T441',
    },
    discloses: ['task_data.case_info.number'],
  },
  {
    name: 'a claim that was turned down, told shortly',
    task: claim,
    lines: [
      'Claims. Member ID.',
      'And the claim number.',
      'Turned down on the ninth.',
      'Says here the referral was never sent.',
      'A corrected claim with the referral on it.',
      'Fax that to 202-555-0164.',
      'Sixty days from the letter.',
      'W 7 7 1 0.',
      "It's Wanda, with an a.",
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: {
      claim_status: 'denied',
      denial_reason: null,
      missing_documents: true,
      send_documents_to: null,
      appeal_deadline: null,
      reference_number: 'W7710',
      person_name: 'Wanda',
    },
    answers: { denial_reason: 'Says here the referral was never sent.' },
    discloses: ['patient.insurance.medical.member_id', 'task_data.case_info.number'],
  },
  {
    name: 'a pharmacist who serves customers and gives prices of other things',
    task: pharmacy,
    lines: [
      'Harbor Pharmacy.',
      "That'll be eight fifteen, honey, do you need a bag? Not you.",
      'Lisinopril, thirty days, $11.20.',
      'We do, free over thirty dollars.',
      "Sundays? No, we're closed.",
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: 11.2, question_1: true, question_2: false },
    discloses: [],
  },
  {
    name: 'the price of something else, and then the right one',
    task: pharmacy,
    lines: [
      'Harbor Pharmacy.',
      'The metformin is nine dollars.',
      'Oh, lisinopril, $11.20.',
      'We sure do.',
      'Sundays we are closed.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: 11.2, question_1: true, question_2: false },
    discloses: [],
  },
  {
    name: 'two prices for one thing, asked back by their values',
    task: pharmacy,
    lines: [
      'Harbor Pharmacy.',
      'The lisinopril costs $11.20.',
      'Yes, we deliver. And the lisinopril costs $13.50 for the month.',
      'The lisinopril is $13.50.',
      "Sundays we're closed.",
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: 13.5, question_1: true, question_2: false },
    discloses: [],
  },
  {
    name: 'somebody who answers the telephone with a question, and names without much around them',
    task: {
      task_type: 'CUSTOM_TASK',
      task: 'Ask the ward.',
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'What is the name of the head nurse?' },
          { index: 1, question: 'Who should the form be addressed to?' },
        ],
      },
    },
    lines: [
      'Ward six, Kim.',
      'Yes, it is.',
      'The coffee machine broke again.',
      'It is Berta Olsen.',
      'Make it out to Patient Affairs.',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: null, question_1: null },
    answers: { question_0: 'It is Berta Olsen.', question_1: 'Make it out to Patient Affairs.' },
    discloses: [],
  },
  {
    name: 'a department that picks up is no answer to the question that is open',
    task: records,
    lines: [
      'st brendan hospital how can i direct you',
      'sending you down to the chart room',
      'chart room this ottilie how can help you',
      'it goes to clinical archives',
      'a copy takes nine days',
      'yes',
    ],
    isOver: true,
    goal: true,
    definite: true,
    values: { question_0: null, question_1: 9 },
    answers: { question_0: 'it goes to clinical archives' },
    discloses: [],
  },
];
