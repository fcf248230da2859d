import { describe, expect, test } from 'vitest';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import type { RecordedAnswer } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { readAgain } from '#shared/voice-agent/result/second-reading.ts';
import { patient } from '../../../support/conversation.ts';
import { expectLinearTime } from '../../../support/linear-time.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

function planOf(type: TaskType, data: Record<string, unknown> = {}): CallPlan {
  const project = sampleProject();
  return createCallPlan(sampleTask(project, { task_type: type, task_data: data }), patient, project);
}

const benefits = planOf('VERIFY_INSURANCE', { service: { description: 'physical therapy' } });
const claim = planOf('REIMBURSEMENT');
const visit = planOf('SCHEDULE_APPOINTMENT');

/** Every other line is the person's, the first one ours. */
function sharesOf(lines: readonly string[]) {
  return lines.map((content, index) => ({
    call_id: '01930000-0000-7000-8000-000000000004',
    index,
    role: index % 2 === 0 ? ('assistant' as const) : ('user' as const),
    content,
    offset_ms: index * 1000,
    created_at: '2026-11-16T15:00:00.000Z',
  }));
}

function recorded(key: string, value: RecordedAnswer['value'], quote: string, turn: number): RecordedAnswer {
  return { key, answer: quote, value, quote, turn, needs_review: false };
}

function again(plan: CallPlan, lines: readonly string[], answers: readonly RecordedAnswer[]) {
  const found = readAgain(plan, answers, sharesOf(lines));
  return new Map(found.map((answer) => [answer.key, answer]));
}

const ask = (plan: CallPlan, key: string): string =>
  plan.items.find((item) => item.key === key)?.question ?? 'What else?';

describe('an answer stands', () => {
  test('if nothing contradicts it', () => {
    const answer = recorded('copay', 25, 'The copay is $25.', 1);
    expect(again(benefits, [ask(benefits, 'copay'), answer.quote], [answer]).get('copay')).toEqual(answer);
  });

  test('if a booking has a confirmation number', () => {
    const booked = recorded('booking_confirmed', true, 'Bear with me.', 3);
    const number = recorded('confirmation_number', '7-1836', '7-1836', 5);
    const lines = [
      'Which openings do you have?',
      'Tuesday at nine.',
      'Tuesday at nine works. Please book that.',
      'Tuesday, November 24th at 9:15 in the morning with Dr. Feld. Bear with me.',
      'Is there a confirmation number?',
      '7-1836.',
    ];
    expect(again(visit, lines, [booked, number]).get('booking_confirmed')).toMatchObject({ value: true });
    expect(again(visit, lines.slice(0, 4), [booked]).get('booking_confirmed')).toMatchObject({ value: null });
  });

  test('if its condition is the question’s own', () => {
    const item = clientItem('question_0', 'Is there a charge when a form goes to a school nurse?', null, []);
    const plan = { ...benefits, items: [item] };
    const read = (quote: string) =>
      again(plan, [item.question, quote], [recorded('question_0', false, quote, 1)]).get('question_0');
    expect(read('No charge if it goes to a nurse at school.')).toMatchObject({ value: false });
    expect(read('No charge if she picks it up herself.')).toMatchObject({ value: null });
    expect(read('No charge unless it goes to a nurse.')).toMatchObject({ value: null });
  });

  test('if it is repeated, and if an amount belongs to something else', () => {
    const answer = recorded('copay', 25, 'The copay is $25.', 1);
    const lines = [
      ask(benefits, 'copay'),
      answer.quote,
      'And the deductible?',
      'The deductible is $1,500. And as I said, the copay is twenty-five dollars.',
    ];
    expect(again(benefits, lines, [answer]).get('copay')).toEqual(answer);
  });

  test('if the record already has the correction', () => {
    const answer = recorded('deductible', 1000, 'Sorry, the deductible is one thousand dollars.', 3);
    const lines = [
      ask(benefits, 'deductible'),
      'The deductible is $1,500.',
      'All right.',
      'Sorry, the deductible is one thousand dollars.',
    ];
    expect(again(benefits, lines, [answer]).get('deductible')).toEqual(answer);
  });

  test.each([
    ['an offer', 'Yes, the provider is in network, if you need to know.'],
    [
      'what goes on in a sentence of its own',
      'Yes, the provider is in network. If they bill her twice, call us.',
    ],
    ['looking', 'Let me see if he is. Yes, the provider is in network.'],
  ])('if "if" is only %s', (_, said) => {
    const answer = recorded('in_network', true, 'Yes, the provider is in network', 1);
    expect(again(benefits, [ask(benefits, 'in_network'), said], [answer]).get('in_network')).toEqual(answer);
  });

  test('if a paid claim is closed as well', () => {
    const answer = recorded('claim_status', 'paid', 'It was paid.', 1);
    const lines = [ask(claim, 'claim_status'), 'It was paid.', 'Thank you.', 'So the claim is closed now.'];
    expect(again(claim, lines, [answer]).get('claim_status')).toEqual(answer);
  });
});

test('what was confirmed stands against what was said before, and not against what follows', () => {
  const answer = recorded('deductible', 1200, 'Out of network, which is yours, $1,200.', 1);
  const lines = [
    ask(benefits, 'deductible'),
    'The deductible is $400 in network. Out of network, which is yours, $1,200.',
    'So the deductible is $1,200. Is that right?',
    "Yes, that's correct.",
  ];
  const confirmed = { ...answer, confirmed_at: 3 };
  expect(again(benefits, lines, [answer]).get('deductible')).toMatchObject({ needs_review: true });
  expect(again(benefits, lines, [confirmed]).get('deductible')).toMatchObject({
    value: 1200,
    needs_review: false,
  });
  const more = [...lines, 'Thank you.', 'Sorry, I misread that. The deductible is one thousand dollars.'];
  expect(again(benefits, more, [confirmed]).get('deductible')).toMatchObject({ needs_review: true });
});

describe("the answer to a client's question", () => {
  const item = clientItem('question_0', 'What does a copy cost?', null, []);
  const read = (...lines: readonly string[]) => {
    const turns = sharesOf([item.question, ...lines]).map((turn) => ({
      ...turn,
      role:
        turn.content.endsWith('?') || turn.content === 'I see.' ? ('assistant' as const) : ('user' as const),
    }));
    const answer = { ...recorded('question_0', 14, 'Past ten it is $14.', 1), answer: '$14' };
    return readAgain({ ...benefits, items: [item] }, [answer], turns)[0];
  };

  test('goes on until we ask again', () => {
    expect(read('Past ten it is $14.', 'I see.', 'Ten are free.')).toMatchObject({
      value: null,
      answer: 'Past ten it is $14. Ten are free.',
      needs_review: false,
    });
    expect(read('Past ten it is $14.', 'How long does it take?', 'Ten days.')).toMatchObject({
      value: 14,
      answer: '$14: "Past ten it is $14."',
    });
  });
});

describe('an answer needs review', () => {
  test('if a later statement contradicts it, and keeps both quotes', () => {
    const answer = recorded('deductible', 1500, 'The deductible is $1,500.', 1);
    const lines = [
      ask(benefits, 'deductible'),
      answer.quote,
      ask(benefits, 'coinsurance'),
      'Sorry, I misread that. The deductible is one thousand dollars.',
    ];
    expect(again(benefits, lines, [answer]).get('deductible')).toMatchObject({
      value: null,
      needs_review: true,
      quote: answer.quote,
      turn: 1,
      answer: '"The deductible is $1,500." But also: "The deductible is one thousand dollars."',
    });
  });

  test('if the last statement is withdrawn without naming it', () => {
    const answer = recorded('copay', 40, 'The copay is forty dollars.', 1);
    const lines = [
      ask(benefits, 'copay'),
      answer.quote,
      ask(benefits, 'deductible'),
      'Wait, no, scratch that, I misspoke, it is thirty dollars.',
    ];
    expect(again(benefits, lines, [answer]).get('copay')).toMatchObject({ value: null, needs_review: true });
  });

  test('if a yes has a condition, which is in its text', () => {
    const said = 'Yes, the provider is in network, as long as she stays with the group.';
    const answer = recorded('in_network', true, 'Yes, the provider is in network,', 1);
    const found = again(benefits, [ask(benefits, 'in_network'), said], [answer]).get('in_network');
    expect(found).toMatchObject({ value: null, needs_review: true });
    expect(found?.answer).toContain('as long as she stays with the group');
    expect(said).toContain(found?.quote);
  });

  test('if the condition of a yes comes a moment later', () => {
    const item = clientItem('question_0', 'Can a student get extra time?', null, []);
    const lines = [
      item.question,
      'Yeah, people get extra time.',
      'I mean, yes, only if the office has a letter on file.',
    ];
    const turns = sharesOf(lines).map((turn) =>
      turn.index === 0 ? turn : { ...turn, role: 'user' as const },
    );
    const answer = recorded('question_0', true, 'Yeah, people get extra time.', 1);
    const [found] = readAgain({ ...benefits, items: [item] }, [answer], turns);
    expect(found).toMatchObject({ value: null, needs_review: true });
    expect(found?.answer).toContain('only if the office has a letter on file');
  });

  test.each([
    'Not at first. Only after the twelfth visit.',
    'It is required only once the first ten are used.',
    'It is, only with an outside referral.',
  ])('if it applies only after, once or with something else: "%s"', (said) => {
    const answer = recorded('pre_authorization', true, said.split('. ')[0] ?? said, 1);
    const found = again(benefits, [ask(benefits, 'pre_authorization'), said], [answer]);
    expect(found.get('pre_authorization')).toMatchObject({ value: null, needs_review: true });
  });

  test('if it is based on another tier than asked', () => {
    const answer = recorded('deductible', 4000, 'The out-of-network deductible is four thousand.', 1);
    const found = again(benefits, [ask(benefits, 'deductible'), answer.quote], [answer]).get('deductible');
    expect(found).toMatchObject({ value: null, needs_review: true });
  });

  test('if the end date was taken for the start date', () => {
    const answer = recorded('effective_date', '2026-03-03', 'Coverage terminated on March 3rd, 2026.', 1);
    const found = again(benefits, [ask(benefits, 'effective_date'), answer.quote], [answer]);
    expect(found.get('effective_date')).toMatchObject({ value: null, needs_review: true });
  });

  test('if another time is booked than chosen', () => {
    const answers = [
      recorded('appointment_time', '2026-11-24T10:30', 'I have Tuesday, November 24th at 10:30.', 1),
      recorded('booking_confirmed', true, "You're all booked", 3),
    ];
    const lines = [
      ask(visit, 'appointment_time'),
      'I have Tuesday, November 24th at 10:30.',
      'Please book that.',
      "You're all booked for Wednesday, November 25th at 2 PM, the appointment is set.",
    ];
    const found = again(visit, lines, answers);
    expect(found.get('appointment_time')?.needs_review).toBe(true);
  });

  test("if the answer to a client's question is withdrawn", () => {
    const plan = planOf('CUSTOM_TASK', {
      questions_to_ask: [{ index: 0, question: 'Do you take walk-ins?' }],
    });
    const answer = recorded('question_0', true, 'Yes, we take walk-ins.', 1);
    const lines = [
      'Do you take walk-ins?',
      answer.quote,
      'Thank you. What else?',
      'Sorry, scratch that, I was wrong, no, we do not.',
    ];
    expect(again(plan, lines, [answer]).get('question_0')).toMatchObject({ value: null, needs_review: true });
  });

  test('if it was made of a refusal', () => {
    const answer = recorded('in_network', false, "I'm sorry, I can't give that information out.", 1);
    const found = again(benefits, [ask(benefits, 'in_network'), answer.quote], [answer]).get('in_network');
    expect(found).toMatchObject({ value: null, needs_review: true });
  });
});

describe('an open question', () => {
  test('is answered by one certain clause anywhere', () => {
    const said = 'One moment. The member is active, and the effective date is January 1st, 2026.';
    expect(again(benefits, ['May I have your name?', said], []).get('effective_date')).toMatchObject({
      value: '2026-01-01',
      turn: 1,
      needs_review: false,
    });
  });

  test('stays open if two clauses disagree', () => {
    const lines = [
      'Hello.',
      'The effective date is January 1st, 2026.',
      'Thank you.',
      'The effective date is March 1st, 2026.',
    ];
    expect(again(benefits, lines, []).has('effective_date')).toBe(false);
  });

  test('stays open if an amount names nothing', () => {
    expect(again(benefits, ['Hello.', '$250 for the year.'], []).size).toBe(0);
  });

  test('stays open if a claim that we did not ask for is missing', () => {
    const said = 'Today nobody for claim. Please you call Thursday at two.';
    const found = again(claim, ['Have I reached the claims department?', said], []);
    expect(found.get('claim_status')).toBeUndefined();
  });

  test('is never a booking: that takes both sides', () => {
    const lines = ['Hello.', "You're all booked for Tuesday, November 24th at 10:30, it's confirmed."];
    const found = again(visit, lines, []);
    expect(found.has('appointment_time')).toBe(false);
    expect(found.has('booking_confirmed')).toBe(false);
  });
});

test('a long call is read in linear time', () => {
  const said = [
    'Sure, the coverage is active, effective January 1st, 2026.',
    'The copay for a specialist is forty dollars and there is no referral needed.',
    'The deductible is fifteen hundred, and four hundred and twelve have been met so far.',
    'Okay, let me see here, bear with me for one second while that loads.',
  ];
  const sharesOfTurns = (turns: number): ReturnType<typeof sharesOf> =>
    sharesOf(
      Array.from({ length: turns }, (_, at) =>
        at % 2 === 0 ? ask(benefits, 'copay') : (said[((at - 1) / 2) % said.length] ?? ''),
      ),
    );
  const answers = [recorded('copay', 40, 'The copay for a specialist is forty dollars', 3)];
  expectLinearTime((turns) => readAgain(benefits, answers, sharesOfTurns(turns)), 60);
});

test('a denial in the answer to another question does not withdraw an earlier yes', () => {
  const plan = planOf('CUSTOM_TASK', {
    questions_to_ask: [
      { index: 0, question: 'Is the generic in stock?' },
      { index: 1, question: 'What is the cash price of the generic?' },
    ],
  });
  const answer = recorded('question_0', true, 'The generic we have plenty of, yeah.', 1);
  const lines = [
    ask(plan, 'question_0'),
    answer.quote,
    ask(plan, 'question_1'),
    "It's $18.50, not the $214, that's the brand.",
  ];
  expect(again(plan, lines, [answer]).get('question_0')).toMatchObject({ value: true, needs_review: false });
});

test.each([
  'Tuesday at ten, if that works,',
  'Tuesday at ten, if that',
  "Monday at nine, or Tuesday at ten, if that's any good to her.",
])('"%s" is no condition', (said) => {
  const answer = recorded('appointment_time', '2026-11-24T10:00', said, 1);
  expect(
    again(visit, [ask(visit, 'appointment_time'), said], [answer]).get('appointment_time')?.needs_review,
  ).toBe(false);
});

test('an answer that they put right beside another question ends with its sentence', () => {
  const [fee, day] = ['What does a coating cost?', 'Are you open on Saturdays?'].map((question, at) =>
    clientItem(`question_${at}`, question, null, []),
  );
  if (fee === undefined || day === undefined) throw new Error('no item');
  const lines = [
    day.question,
    "I told you wrong on the coating, it's $65. Every other Saturday, call first.",
  ];
  const answer = recorded('question_0', 65, "it's $65.", 1);
  expect(again({ ...benefits, items: [fee, day] }, lines, [answer]).get('question_0')).toMatchObject({
    value: 65,
    quote: "I told you wrong on the coating, it's $65.",
  });
});

test('a sentence with a value that was taken back is not quoted, whatever was asked', () => {
  const told = 'Of $1,180 billed we sent $549, which leaves $148 to her.';
  const lines = [ask(claim, 'paid_amount'), `${told} Wait, I flipped my numbers, we sent $594.`];
  const billed = { ...recorded('billed_amount', 1180, told, 1), answer: '$1,180' };
  expect(again(claim, lines, [billed]).get('billed_amount')?.answer).toBe('$1,180');
});
