import { describe, expect, test } from 'vitest';
import type { Turn } from '#shared/domain/conversation.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import {
  type DialogueRecord,
  emptyRecord,
  type RecordedAnswer,
} from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { deriveCallResult } from '#shared/voice-agent/result/call-result.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';
import { answer, booked, booking, sharesOf } from './booked-conversation.ts';

function resultOf(type: TaskType, record: Partial<DialogueRecord>, turns: Turn[]) {
  const plan = createCallPlan(sampleTask(sampleProject(), { task_type: type }), patient, sampleProject());
  return deriveCallResult({ plan, state: { record: { ...emptyRecord, ...record } }, turns });
}

describe('the result of a conversation', () => {
  test('of a booked appointment has time, provider and number', () => {
    const result = resultOf('SCHEDULE_APPOINTMENT', { answers: booked, person_name: 'Dana' }, booking);
    expect(result).toMatchObject({
      goal_reached: true,
      definite: true,
      reference_number: 'RC-48213',
      person_name: 'Dana',
    });
    expect(result.summary).toBe(
      'Appointment booked for Tuesday, November 24, 2026 at 10:30 AM with Dr. Okafor; confirmation number ' +
        'RC-48213; spoke with Dana.',
    );
  });

  test('of an appointment whose time is for review says so', () => {
    const doubted = booked.map((entry) =>
      entry.key === 'appointment_time' ? { ...entry, value: null, needs_review: true } : entry,
    );
    const { goal_reached, summary } = resultOf('SCHEDULE_APPOINTMENT', { answers: doubted }, booking);
    expect([goal_reached, summary]).toEqual([
      true,
      expect.stringMatching(/^An appointment was booked with Dr\. Okafor, but its time is not sure/),
    ]);
  });

  test('counts no answer without its quote in the named turn', () => {
    const made = (change: Partial<RecordedAnswer>): RecordedAnswer[] =>
      booked.map((entry) => (entry.key === 'booking_confirmed' ? { ...entry, ...change } : entry));
    for (const change of [
      { quote: 'It is booked.' },
      { turn: 1 },
      { turn: 2 },
      { turn: 99 },
      { quote: ' ' },
    ]) {
      const result = resultOf('SCHEDULE_APPOINTMENT', { answers: made(change) }, booking);
      expect(result.goal_reached).toBe(false);
      expect(result.answers.find(({ key }) => key === 'booking_confirmed')).toMatchObject({
        answer: null,
        value: null,
        quote: null,
        turn: null,
        needs_review: false,
      });
    }
  });

  test('of a merely discussed appointment is no booking', () => {
    const result = resultOf('SCHEDULE_APPOINTMENT', { answers: booked.slice(0, 1) }, booking.slice(0, 3));
    expect(result).toMatchObject({ goal_reached: false, definite: false });
    expect(result.summary).toMatch(
      /^No appointment was booked\. Tuesday, November 24, 2026 at 10:30 AM was spoken of/,
    );
  });

  test('of a call without any speech says so', () => {
    const result = resultOf('VERIFY_INSURANCE', {}, sharesOf(['assistant', 'Hello?']));
    expect(result).toMatchObject({ goal_reached: false, definite: false, ending: 'no-speech' });
    expect(result.summary).toBe('The call was answered, but nobody spoke.');
  });

  test.each(['gave-up', 'finished', 'refused'] as const)(
    'in which nobody spoke is none, leaves nothing to do and settles nothing, though it was ended as %s',
    (reason) => {
      const ending = { reason, farewell: 'unheard' } as const;
      const follow_ups = ['Nobody answered on the line any more.'];
      const silent = sharesOf(['assistant', 'Hello.'], ['assistant', 'Are you there?']);
      expect(resultOf('CUSTOM_TASK', { ending, follow_ups }, silent)).toMatchObject({
        definite: false,
        ending: 'no-speech',
        follow_up: null,
      });
      const spoken = [...silent, ...sharesOf(['user', 'Yes?'])];
      expect(resultOf('CUSTOM_TASK', { ending, follow_ups }, spoken)).toMatchObject({
        ending: reason,
        follow_up: expect.stringContaining('any more'),
      });
    },
  );

  test('with a machine that takes messages is a mailbox, though nothing was heard of it', () => {
    const ending = { reason: 'voicemail', farewell: 'voicemail' } as const;
    const result = resultOf('CUSTOM_TASK', { ending }, sharesOf(['assistant', 'Hello.']));
    expect(result.ending).toBe('voicemail');
  });

  test.each([
    ['finished', true],
    ['declined', true],
    ['refused', true],
    ['wrong-number', true],
    ['call-again', false],
    ['voicemail', false],
    ['gave-up', false],
  ] as const)('that ended as %s settles the task: %s', (reason, definite) => {
    const result = resultOf(
      'CUSTOM_TASK',
      { ending: { reason, farewell: 'follow-up' } },
      sharesOf(['assistant', 'Hello.'], ['user', 'Hi.']),
    );
    expect(result).toMatchObject({ goal_reached: false, definite });
    expect(result.summary).not.toBe('');
  });

  test('of a benefit call omits items that ended coverage makes irrelevant', () => {
    const turns = sharesOf(['assistant', 'Is it active?'], ['user', 'No, it was terminated.']);
    const result = resultOf(
      'VERIFY_INSURANCE',
      { answers: [answer('coverage_active', false, 'No, it was terminated.', 1, 'No')] },
      turns,
    );
    expect(result.goal_reached).toBe(true);
    expect(result.answers.map(({ key }) => key)).not.toContain('copay');
    expect(result.summary).toMatch(/^Coverage is not active/);
  });

  test('of a benefit call gives the plan separately from the coverage', () => {
    const turns = sharesOf(
      ['assistant', 'Is it active?'],
      ['user', 'The coverage is active.'],
      ['user', 'The plan is called Choice PPO.'],
    );
    const coverage = answer('coverage_active', true, 'The coverage is active.', 1, 'Yes');
    const plan = answer('plan_name', null, 'The plan is called Choice PPO.', 2);
    const summaryOf = (...answers: RecordedAnswer[]) =>
      resultOf('VERIFY_INSURANCE', { answers }, turns).summary;
    expect(summaryOf(coverage, plan)).toMatch(
      /^Coverage is active\. Plan: "The plan is called Choice PPO\."/,
    );
    expect(summaryOf(coverage, { ...plan, value: 'Choice PPO' })).toContain('Plan: Choice PPO.');
  });

  test('lists the follow-up', () => {
    const turns = sharesOf(['assistant', 'Is it required?'], ['user', 'Yes, it is required.']);
    const result = resultOf(
      'VERIFY_INSURANCE',
      {
        answers: [answer('pre_authorization', true, 'Yes, it is required.', 1, 'Yes')],
        ending: { reason: 'finished', farewell: 'thanks' },
        follow_ups: ['They asked for the tax ID, which was not known.'],
      },
      turns,
    );
    expect(result.follow_up).toMatch(/tax ID.*Request the pre-authorization\..*Still open: Is the coverage/);
  });
});

describe('an obstacle', () => {
  const turns = sharesOf(
    ['assistant', 'Hello.'],
    ['user', ''],
    ['user', 'Morning.'],
    ['assistant', 'I would like to book an appointment.'],
    ['user', 'Sorry, she needs a referral first.'],
  );
  const obstacle = {
    reason: 'needs_referral',
    quote: 'she needs a referral first',
    turn: 4,
    call_back_at: null,
  } as const;
  const ending = { reason: 'declined', farewell: 'follow-up' } as const;

  test('has its quote with the transcript position, and is in the summary', () => {
    const result = resultOf('SCHEDULE_APPOINTMENT', { obstacle, ending }, turns);
    expect(result.obstacle).toEqual({ ...obstacle, turn: 3 });
    expect(result.summary).toContain('They need a referral first: "she needs a referral first".');
  });

  test('is absent without its quote, or if the goal was reached anyway', () => {
    const unsaid = { ...obstacle, quote: 'they need a referral' };
    expect(resultOf('SCHEDULE_APPOINTMENT', { obstacle: unsaid, ending }, turns).obstacle).toBeNull();
    const said = { ...obstacle, quote: 'I have Tuesday', turn: 1 };
    expect(
      resultOf('SCHEDULE_APPOINTMENT', { answers: booked, obstacle: said }, booking).obstacle,
    ).toBeNull();
  });

  test('explains a hang-up only if it came soon', () => {
    expect(resultOf('SCHEDULE_APPOINTMENT', { obstacle }, turns).obstacle?.reason).toBe('needs_referral');
    const further = ['Okay.', 'One moment.', 'Let me see.'].map((content, at) => ({
      ...(turns[4] as Turn),
      index: 5 + at,
      content,
    }));
    expect(resultOf('SCHEDULE_APPOINTMENT', { obstacle }, [...turns, ...further]).obstacle).toBeNull();
  });
});

test('a person who hangs up on a machine has refused, and on what cannot be done has declined', () => {
  const turns = sharesOf(
    ['assistant', 'Hello, this is an automated assistant.'],
    ['user', 'We only talk to people here.'],
  );
  const said = { quote: 'We only talk to people here.', turn: 1, call_back_at: null };
  expect(resultOf('SCHEDULE_APPOINTMENT', { obstacle: { ...said, reason: 'no_ai' } }, turns)).toMatchObject({
    ending: 'refused',
    definite: true,
  });
  expect(
    resultOf('SCHEDULE_APPOINTMENT', { obstacle: { ...said, reason: 'withheld' } }, turns),
  ).toMatchObject({ ending: 'declined', definite: true });
  expect(
    resultOf('SCHEDULE_APPOINTMENT', { obstacle: { ...said, reason: 'call_back_at' } }, turns),
  ).toMatchObject({ ending: 'hung-up', definite: false });
});

describe('answers that need review', () => {
  const turns = sharesOf(
    ['assistant', 'Is the coverage currently active?'],
    ['user', 'Yes, the coverage is active.'],
    ['assistant', 'What is the copay?'],
    ['user', 'Forty or so, I would have to look.'],
  );
  const answers = [
    answer('coverage_active', true, 'Yes, the coverage is active.', 1, 'Yes'),
    { ...answer('copay', null, 'Forty or so, I would have to look.', 3), needs_review: true },
  ];
  const ending = { reason: 'finished', farewell: 'thanks' } as const;

  test('reach no goal, and the summary names them', () => {
    const result = resultOf('VERIFY_INSURANCE', { answers, ending }, turns);
    expect(result).toMatchObject({ goal_reached: false, definite: true });
    expect(result.answers.find(({ key }) => key === 'copay')).toMatchObject({
      value: null,
      needs_review: true,
    });
    expect(result.summary).toContain('Needs review: What is the copay? "Forty or so, I would have to look."');
    expect(result.summary).not.toContain('copay $');
  });

  test('are quoted once, also behind the yes that they limit', () => {
    const said = 'Yes, as long as a doctor orders it.';
    const limited = sharesOf(['assistant', 'Is the coverage currently active?'], ['user', said]);
    const doubtful = [{ ...answer('coverage_active', null, said, 1), needs_review: true }];
    const { summary } = resultOf('VERIFY_INSURANCE', { answers: doubtful, ending }, limited);
    expect(summary).toContain(`Needs review: Is the coverage currently active? Yes: "${said}"`);
  });

  test('are not a reference number', () => {
    const said = sharesOf(['assistant', 'Is there a number?'], ['user', 'RC four eight, I think.']);
    const unsure = [
      { ...answer('reference_number', null, 'RC four eight, I think.', 1), needs_review: true },
    ];
    expect(resultOf('VERIFY_INSURANCE', { answers: unsure }, said).reference_number).toBeNull();
  });
});

describe('a summary', () => {
  test('is made of values, not of quotes', () => {
    const words = 'so uh paid two twelve forty on like november third check eight eight two one three';
    const turns = sharesOf(['assistant', 'What is the status?'], ['user', words]);
    const answers = [
      answer('claim_status', 'paid', words, 1),
      answer('paid_amount', 1212.4, words, 1),
      answer('payment_date', '2026-11-03', words, 1),
      answer('payment_number', '88213', words, 1),
    ];
    const { summary } = resultOf('REIMBURSEMENT', { answers, person_name: 'Ines' }, turns);
    const opening =
      'Claim status: paid; amount paid $1,212.40; payment date November 3, 2026; payment number 88213; ' +
      'spoke with Ines.';
    expect(summary?.slice(0, opening.length)).toBe(opening);
    expect(summary).not.toContain('two twelve');
  });

  test('quotes answers without a value', () => {
    const turns = sharesOf(['assistant', 'Why?'], ['user', 'It was filed too late.']);
    const answers = [
      answer('claim_status', 'denied', 'It was filed too late.', 1),
      answer('denial_reason', null, 'It was filed too late.', 1),
    ];
    expect(resultOf('REIMBURSEMENT', { answers }, turns).summary).toContain(
      'Reason for the denial: "It was filed too late."',
    );
  });
});
