import type { CallAnswer, CallResult } from '#shared/domain/call-result.ts';
import { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import type { CalledPerson } from '#shared/sandbox-phone/store/sandbox-call.ts';
import { planOf } from '../../support/dialogue-turns.ts';
import { sampleResult } from '../../support/sample-tasks.ts';
import { allPersonas } from '../cast.ts';
import type { Held } from '../held.ts';
import type { Exchange } from './exchanges.ts';

const insurer = {
  id: 'some-insurer',
  about: 'Tells the benefits of one member.',
  numbers: ['+12025550150'],
  name: 'Ines',
  business: 'Maple Health',
  voice: 'slt',
  knows: {
    coverage_active: { yes: true },
    copay: { money: 40 },
    deductible: { money: 1500 },
    coinsurance: { percent: 20 },
    pre_authorization: { yes: false },
    reference_number: { identifier: 'MH482' },
  },
  desks: [
    {
      desk: 'benefits',
      topics: [
        {
          topic: 'everything',
          asked_by: ['copay'],
          says: ['{copay}, {deductible}, {coinsurance}, {reference_number}'],
          tells: ['coverage_active', 'pre_authorization'],
        },
      ],
    },
  ],
};

const receptionist = {
  ...insurer,
  id: 'some-receptionist',
  knows: {},
  desks: [
    {
      desk: 'appointments',
      calendar: { openings: [{ in_working_days: 2, time: '09:30', with: 'Dr. Ode' }] },
    },
  ],
};

const words = 'It is active. The copay is $40, the deductible $1,500, then 20%. No pre-authorization. MH482.';

/** Everything that the insurer knows, told and reported correctly. */
const rightAnswers: readonly CallAnswer[] = [
  answer('coverage_active', true, 'Yes'),
  answer('copay', 40, '$40'),
  answer('deductible', 1500, '$1,500'),
  answer('coinsurance', 20, '20%'),
  answer('pre_authorization', false, 'No'),
];

export function answer(key: string, value: CallAnswer['value'], text: string | null, turn = 1): CallAnswer {
  return {
    key,
    question: `What about ${key}?`,
    answer: text,
    value,
    quote: words,
    turn,
    needs_review: false,
  };
}

/** One reaction of a person on the line. */
export function exchange(changes: Partial<Exchange>): Exchange {
  return { stage: 'person', isHuman: true, heard: null, wasCut: false, says: [], about: [], ...changes };
}

interface Changes {
  readonly person?: Record<string, unknown>;
  /** Answers that replace the right ones, by key. */
  readonly answers?: readonly CallAnswer[];
  readonly result?: Partial<CallResult> & Readonly<Record<string, unknown>>;
  readonly called?: Partial<CalledPerson>;
  readonly held?: Partial<Held>;
}

/** A conversation with an insurer that went well, with changes. */
export function someHeld({
  person = {},
  answers = [],
  result = {},
  called = {},
  held = {},
}: Changes = {}): Held {
  const base = heldWith({ ...insurer, ...person }, 'VERIFY_INSURANCE');
  const changed = new Set(answers.map(({ key }) => key));
  return {
    ...base,
    result: sampleResult({
      answers: [...rightAnswers.filter(({ key }) => !changed.has(key)), ...answers],
      summary: 'Coverage is active; copay $40; deductible $1,500; coinsurance 20%; spoke with Ines.',
      person_name: 'Ines',
      ...result,
    }),
    called: {
      id: 'some-insurer',
      seed: '',
      knows: {
        coverage_active: { type: 'yes', value: true },
        copay: { type: 'money', value: 40 },
        deductible: { type: 'money', value: 1500 },
        coinsurance: { type: 'percent', value: 20 },
        pre_authorization: { type: 'yes', value: false },
        reference_number: { type: 'identifier', value: 'MH482' },
      },
      told: ['coverage_active', 'copay', 'deductible', 'coinsurance', 'pre_authorization'],
      booked: null,
      exchanges: [
        exchange({
          heard: 'Hello, this is an automated assistant. This call is recorded. What is the copay?',
          says: [words],
          about: ['topic everything'],
        }),
      ],
      ...called,
    },
    ...held,
  };
}

/** A conversation in which an appointment was made. */
export function someAppointment({ person = {}, answers = [], result = {}, called = {} }: Changes = {}): Held {
  const base = heldWith({ ...receptionist, ...person }, 'SCHEDULE_APPOINTMENT');
  const said = 'Booked for Tuesday the 24th at 9:30 AM with Dr. Ode.';
  const right = [
    answer('appointment_time', '2026-11-24T09:30', 'Tuesday, November 24, 2026 at 9:30 AM'),
    answer('booking_confirmed', true, 'Yes'),
  ];
  return {
    ...base,
    transcript: [
      { role: 'assistant', content: 'Please book that.' },
      { role: 'user', content: said },
    ],
    result: sampleResult({
      answers: answers.length > 0 ? [...answers] : right,
      summary: 'Appointment booked for Tuesday, November 24, 2026 at 9:30 AM with Dr. Ode.',
      ...result,
    }),
    called: {
      id: 'some-receptionist',
      seed: '',
      knows: {},
      told: ['appointment'],
      booked: { moment: '2026-11-24T09:30', with: 'Dr. Ode' },
      exchanges: [exchange({ heard: 'Please book that.', says: [said], about: ['booked'] })],
      ...called,
    },
  };
}

function heldWith(
  file: Record<string, unknown>,
  taskType: 'VERIFY_INSURANCE' | 'SCHEDULE_APPOINTMENT',
): Held {
  const person = PersonaFile.parse(file);
  const [casting] = allPersonas([person], [person], 1).filter((one) => one.taskType === taskType);
  if (casting === undefined) throw new Error(`nobody to call about ${taskType}`);
  return {
    casting,
    taskStatus: 'COMPLETED',
    taskOutcome: null,
    plan: planOf({ task_type: taskType, task: casting.task, task_data: casting.taskData }),
    result: null,
    transcript: [
      { role: 'assistant', content: 'What is the copay?' },
      { role: 'user', content: words },
    ],
    called: null,
    talkSeconds: 60,
    responseTimesMs: [1],
    modelErrors: [],
  };
}
