import { describe, expect, test } from 'vitest';
import { clientItem, itemsOf } from '#shared/voice-agent/call-plan/items.ts';
import type { RecordedAnswer } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { inWholeReply } from '#shared/voice-agent/result/whole-reply.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';

/** The report of an answer that was understood as a value from the words `quote`; more prompts may follow. */
function reported(
  question: string,
  quote: string,
  [value, answer = quote]: readonly [RecordedAnswer['value'], string?],
  first: string,
  ...others: readonly string[]
) {
  const item = clientItem('question_0', question, null, []);
  const recorded = { key: item.key, answer, value, quote, turn: 1, needs_review: false };
  const heard = (said: string, turn: number) => understand(said, turn, { today: '2026-11-16', after: null });
  return inWholeReply(item, recorded, [heard(first, 1), ...others.map((said, at) => heard(said, at + 3))]);
}

const inWords = [null] as const;

describe('an answer in words is the whole reply', () => {
  test.each([
    [
      'By when must the form be here?',
      'so that has to be in two weeks',
      'so that has to be in two weeks before camp starts or nobody reads it',
      'so that has to be in two weeks before camp starts or nobody reads it',
    ],
    [
      'What should she bring?',
      'Her cards,',
      'Okay. Her cards, and the list of her pills. Is that all?',
      'Her cards, and the list of her pills.',
    ],
    [
      'What should she bring?',
      'the blue card',
      'the blue card and a list of pills anything else',
      'the blue card and a list of pills',
    ],
    [
      'When does the desk open?',
      'At seven.',
      'At seven. On Fridays not before nine. What else?',
      'At seven. On Fridays not before nine.',
    ],
  ])('%s "%s"', (question, quote, said, whole) => {
    expect(reported(question, quote, inWords, said)).toMatchObject({ answer: whole, quote: whole });
  });

  test('with what they add before we ask on', () => {
    expect(
      reported('What does a copy cost?', 'Ten are free.', inWords, 'Ten are free.', "Then it's a dime each."),
    ).toMatchObject({ answer: "Ten are free. Then it's a dime each.", quote: 'Ten are free.' });
  });
});

test('a yes to a part of it is no yes', () => {
  const said = 'Some of it, yes.';
  expect(reported('Is it in stock?', said, [true, 'Yes'], said)).toMatchObject({
    answer: `Yes: "${said}"`,
    value: null,
  });
});

describe("a value that answers a client's question", () => {
  test('comes with what else the reply says', () => {
    const said = 'We do, the van goes out at noon. It never breaks down. Anything else?';
    expect(reported('Do you deliver?', 'We do,', [true, 'Yes'], said)).toMatchObject({
      value: true,
      answer: 'Yes: "We do, the van goes out at noon. It never breaks down."',
      quote: 'We do, the van goes out at noon. It never breaks down.',
    });
    const hours = 'Yes. Closed from 1:30 to 2.';
    expect(reported('Do you close for lunch?', hours, [true, 'Yes'], hours)).toMatchObject({
      answer: `Yes: "${hours}"`,
    });
    const price = "It's $14, we printed new cards. Next?";
    expect(reported('What is the fee?', "It's $14,", [14, '$14'], price)).toMatchObject({
      value: 14,
      answer: `$14: "It's $14, we printed new cards."`,
    });
  });

  test.each([
    ['Do you deliver?', 'Yes.', [true, 'Yes']],
    ['Do you deliver?', 'Yes, we do deliver.', [true, 'Yes']],
    ['What is the fee?', "That's fourteen dollars.", [14, '$14']],
  ] as const)('stands alone if there is nothing else: %s "%s"', (question, said, value) => {
    expect(reported(question, said, value, said)).toMatchObject({ answer: value[1], value: value[0] });
  });

  test.each([
    ['Do you deliver?', 'We do, only on Fridays.', 'We do,', [true, 'Yes']],
    ['Do you deliver?', 'Yes. Inside the county. Over the river, no.', 'Yes.', [true, 'Yes']],
    ['Do you deliver?', 'Sure, as long as someone signs.', 'Sure,', [true, 'Yes']],
    ['Until what time can it be picked up?', "It's five thirty on weekdays and noon on Saturday.", '', null],
    ['What is the fee?', 'The first one is free. The next is $14.', 'The next is $14.', [14, '$14']],
    ['What is the fee?', 'Free for members, $14 for anyone else.', '$14 for anyone else.', [14, '$14']],
    ['What is the fee?', 'For members $9. For everybody else $14.', 'For members $9.', [9, '$9']],
  ] as const)('is none if the reply limits it: %s "%s"', (question, said, quote, value) => {
    const told = value ?? (['2026-11-21T12:00', 'noon on Saturday'] as const);
    const {
      answer,
      value: typed,
      needs_review,
    } = reported(question, quote === '' ? said : quote, told, said);
    expect({ typed, needs_review }).toEqual({ typed: null, needs_review: false });
    expect(answer).toContain(said);
  });

  test('stands beside the one that it corrects', () => {
    const said = "It's $90. No, sorry, wrong line, it's $40.";
    expect(reported('What is the fee?', "it's $40.", [40, '$40'], said)).toMatchObject({ value: 40 });
  });
});

test('words that limit a yes begin with it', () => {
  const said = 'Yes, if it is inside six miles.';
  expect(reported('Do you deliver?', said, inWords, said)).toMatchObject({ answer: `Yes: "${said}"` });
  const both = 'Walkers yes, scooters no, it depends.';
  expect(reported('Do you deliver?', both, inWords, both)).toMatchObject({ answer: both });
});

test.each<[string, number | boolean, string, string, string?]>([
  ['deductible', 2000, '$2,000', 'In tier one it is $500, in tier two $2,000.'],
  ['in_network', true, 'Yes', 'The clinic is in network, tier two, not tier one.'],
  ['copay', 0, '$0', 'No copay, coinsurance applies instead.'],
  ['copay', 0, '$0', "No copay here. It's a percentage of everything.", 'No copay here.'],
  ['coinsurance', 10, '10%', 'None on office visits, ten percent on everything else.'],
  ['coinsurance', 15, '15%', "It's nothing for office visits, 15% if it's done in a hospital."],
])(
  "a plan's tiers are reported with the value that is the patient's: %s",
  (key, value, answer, said, quote = said) => {
    const item = itemsOf('VERIFY_INSURANCE', { facts: [], wishes: '', isRescheduling: false }).find(
      (one) => one.key === key,
    );
    if (item === undefined) throw new Error(`no item ${key}`);
    const recorded = { key, answer, value, quote, turn: 1, needs_review: false };
    const heard = understand(said, 1, { today: '2026-11-16', after: null });
    expect(inWholeReply(item, recorded, [heard])).toMatchObject({ value, answer: `${answer}: "${said}"` });
  },
);

function reportedOf(
  taskType: 'REIMBURSEMENT',
  key: string,
  value: string | number,
  quote: string,
  said: string,
) {
  const item = itemsOf(taskType, { facts: [], wishes: '', isRescheduling: false }).find(
    (one) => one.key === key,
  );
  if (item === undefined) throw new Error(`no item ${key}`);
  const answer = typeof value === 'number' ? `$${value}` : value;
  const recorded = { key, answer, value, quote, turn: 1, needs_review: false };
  return inWholeReply(item, recorded, [understand(said, 1, { today: '2026-11-16', after: null })]);
}

test.each([
  ['pending', "It's on hold, bless its heart.", `pending: "It's on hold, bless its heart."`],
  ['paid', 'That is paid, but nobody cashed it.', 'paid: "That is paid, but nobody cashed it."'],
  ['denied', 'That one was denied.', 'denied'],
])(
  'a status that is not named, or not alone, is reported with its words: %s "%s"',
  (status, said, answer) => {
    expect(reportedOf('REIMBURSEMENT', 'claim_status', status, said, said).answer).toBe(answer);
  },
);

test('a sentence with a value that is taken back is not reported', () => {
  const quote = 'Of $1,180 billed we sent $549, which leaves $148 to her.';
  const said = `${quote} Wait, I flipped my numbers, we sent $594.`;
  expect(reportedOf('REIMBURSEMENT', 'billed_amount', 1180, quote, said).answer).toBe('$1180');
});
