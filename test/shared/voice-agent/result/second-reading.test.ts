import { describe, expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { readAgain } from '#shared/voice-agent/result/second-reading.ts';
import { expectLinearTime } from '../../../support/linear-time.ts';
import { answer as recorded } from './booked-conversation.ts';
import { again, ask, benefits, claim, planOf, turnsOf, visit } from './reading-again.ts';

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

describe("the answer to a client's question", () => {
  const item = clientItem('question_0', 'What does a copy cost?', null, []);
  const read = (...lines: readonly string[]) => {
    const turns = turnsOf([item.question, ...lines]).map((turn) => ({
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
  const callOf = (turns: number): ReturnType<typeof turnsOf> =>
    turnsOf(
      Array.from({ length: turns }, (_, at) =>
        at % 2 === 0 ? ask(benefits, 'copay') : (said[((at - 1) / 2) % said.length] ?? ''),
      ),
    );
  const answers = [recorded('copay', 40, 'The copay for a specialist is forty dollars', 3)];
  expectLinearTime((turns) => readAgain(benefits, answers, callOf(turns)), 60);
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
