import { describe, expect, test } from 'vitest';
import { play } from './scripted-caller.ts';
import { quiet, somePersona } from './some-person.ts';

const character = somePersona({
  ...quiet,
  knows: {
    fee: { money: 620.5 },
    share: { percent: 20 },
    fax: { phone: '+12025550161' },
    ticket: { identifier: 'MS4821' },
    issued: { days_from_today: -9 },
    since: { date: '2024-01-01' },
    mail_day: { days_from_today: -2 },
    first_mail_day: { days_from_today: -40 },
    deductible: { money: 2000 },
    deductible_met: { money: 150 },
    pocket: { money: 4000 },
    pocket_met: { money: 75 },
    card_limit: { money: 900 },
    card_met: { money: 310 },
    vial_limit: { number: 30 },
    vials_taken: { number: 8 },
    small: { money: 68.5 },
    large: { money: 179 },
    nothing: { money: 0 },
    weekend: { yes: true },
    covered: { yes: false },
    referral: { yes: true },
    status: { text: 'in process' },
  },
  desks: [
    {
      desk: 'office',
      topics: [
        { topic: 'fee', asked_by: ['fee'], says: ['The fee is {fee}.'], is_public: true },
        { topic: 'share', asked_by: ['share'], says: ['The share is {share}.'], is_public: true },
        { topic: 'fax', asked_by: ['fax'], says: ['It is {fax}.'], is_public: true },
        { topic: 'ticket', asked_by: ['ticket'], says: ['It is {ticket}.'], is_public: true },
        { topic: 'issued', asked_by: ['issued'], says: ['It was issued on {issued}.'], is_public: true },
        {
          topic: 'posting',
          asked_by: ['mailed'],
          says: ['It was mailed {mail_day}. The first one went {first_mail_day}, and that came back.'],
          is_public: true,
        },
        { topic: 'since', asked_by: ['since when'], says: ['Since {since}.'], is_public: true },
        {
          topic: 'small',
          asked_by: ['small'],
          says: ['It is $86.50, no, {small}. The large one is {large}.'],
          is_public: true,
        },
        {
          topic: 'nothing',
          asked_by: ['shipping'],
          says: ['Nothing at all. Out of state it is {large}.'],
          tells: ['nothing'],
          client_question: 'How much is shipping for thirty tablets?',
          is_public: true,
        },
        {
          topic: 'covered',
          asked_by: ['covered', 'coverage'],
          says: ['The plan leaves that one out.', 'That one is on you.'],
          tells: ['covered'],
          is_public: true,
        },
        {
          topic: 'referral',
          asked_by: ['referral'],
          says: ['Her doctor has to send one.'],
          tells: ['referral'],
          is_public: true,
        },
        {
          topic: 'price',
          asked_by: ['price'],
          says: ['It runs {small}. With tax it is {large}.'],
          answered_by: 'small',
          client_question: 'What is the price?',
          is_public: true,
        },
        {
          topic: 'deductible and deductible met',
          asked_by: ['deductible'],
          says: ['It is {deductible}, and {deductible_met} of that is in.'],
          is_public: true,
        },
        { topic: 'pocket', asked_by: ['pocket'], says: ['It is {pocket}.'], is_public: true },
        {
          topic: 'card',
          asked_by: ['card'],
          says: ['{card_limit} on that card, {card_met} of it.'],
          is_public: true,
        },
        {
          topic: 'vials',
          asked_by: ['vial*'],
          says: ['{vial_limit} at most, {vials_taken} so far.'],
          is_public: true,
        },
        { topic: 'spent', asked_by: ['been spent'], says: ['{pocket_met} so far.'], is_public: true },
        {
          topic: 'weekend',
          asked_by: ['saturday*'],
          says: ['Half a day.'],
          tells: ['weekend'],
          is_public: true,
        },
        { topic: 'hours', asked_by: ['open'], says: ['Eight to six.'], is_public: true },
        {
          topic: 'ninety',
          asked_by: ['cost of ninety'],
          says: ['Ninety run you {small}.'],
          answered_by: 'small',
          client_question: 'What is the cost of ninety tablets?',
          is_public: true,
        },
        { topic: 'status', asked_by: ['status'], says: ['Still {status}.'], is_public: true },
      ],
    },
  ],
});

function askThen(question: string, readBack: string): string {
  return play(character, question, readBack).heard.at(-1) ?? '';
}

const fee = 'What is the fee?';
const fax = 'What is the fax number?';
const ticket = 'May I have a ticket number?';
const issued = 'When was it issued?';
const shipping = 'How much is shipping?';
const small = 'How much is the small one?';
const covered = 'Is it covered?';
const referral = 'Does it take a referral?';
const status = 'What is the status?';
const deductible = 'What is the deductible?';
const saturdays = 'Are you open on Saturdays?';
const ninety = 'What is the cost of ninety tablets?';

describe('a read-back', () => {
  test.each([
    [fee, 'So the fee is $620.50, correct?'],
    [fee, 'That is six hundred twenty dollars and fifty cents. Did I get that right?'],
    [fee, 'Let me read that back: $620.50. Is that right?'],
    ['What is the share?', 'Twenty percent, is that correct?'],
    [fax, 'Let me read that back: 2 0 2, 5 5 5, 0 1 6 1. Is that right?'],
    [fax, 'So 202-555-0161?  Is that correct?'],
    [ticket, 'M S 4 8 2 1, right?'],
    [ticket, 'Let me repeat that back: M as in Mike, S as in Sierra, four eight two one. Is that right?'],
    [issued, 'Let me read that back: November 11, 2026. Is that right?'],
    [issued, 'November eleventh, correct?'],
    ['Since when is that?', 'January 1st, 2024, right?'],
    [fee, 'Is that right?'],
    [small, 'So that is $68.50. Is that right?'],
    [shipping, 'So the shipping for thirty tablets is $0. Is that right?'],
    [fee, 'The date of birth is February 19, 1987. So that is $620.50. Is that right?'],
    [covered, 'Okay. So that is a no. Is that right?'],
    [covered, 'So it is not covered, correct?'],
    [covered, 'Is that right?'],
    [referral, 'Got it. So that is a yes. Is that right?'],
    [referral, 'A referral is needed, right?'],
    [status, 'So the claim is still being processed. Is that right?'],
    [saturdays, 'So that is a yes. Is that right?'],
    [deductible, 'So the deductible is $2,000. Is that right?'],
    [deductible, 'So $150 of the deductible has been met. Is that right?'],
    [ninety, 'So the cost of ninety tablets is $68.50. Is that right?'],
    ['When was it mailed?', 'So it was mailed on November 18. Is that right?'],
  ])('is confirmed if right: %s "%s"', (question, readBack) => {
    expect(askThen(question, readBack)).toMatch(/^(Yes|That's right)/);
  });

  test.each([
    [fee, 'So the fee is $260.50, correct?', /\$620\.50/],
    [fee, 'Let me read that back: $625. Is that right?', /\$620\.50/],
    [small, 'So that is $86.50. Is that right?', /\$68\.50/],
    ['What is the price?', 'So that is $179. Is that right?', /\$68\.50/],
    [small, 'So that is $179. Is that right?', /\$68\.50/],
    [fee, 'So the fee is $260.50. Is that right?', /\$620\.50/],
    [shipping, 'So the shipping for thirty tablets is $179. Is that right?', /\$0/],
    [fax, 'Let me read that back: 2 0 2, 5 5 5, 0 1 1 6. Is that right?', /2 0 2 5 5 5 0 1 6 1/],
    [ticket, 'M S 4 8 1 2, right?', /M S 4 8 2 1/],
    [issued, 'Let me read that back: November 12, 2026. Is that right?', /November 11th/],
    ['Since when is that?', 'January 1st, 2025, right?', /2024/],
    [covered, 'Okay. So that is a yes. Is that right?', /^No.*(leaves that one out|on you)/],
    [covered, 'It is covered, correct?', /^No.*(leaves that one out|on you)/],
    [referral, 'So no referral is needed. Is that right?', /^No.*has to send one/],
    [status, 'So the claim was denied. Is that right?', /^No.*in process/],
    [saturdays, 'So that is a no. Is that right?', /^No.*Half a day/],
    [deductible, 'So the deductible is $150. Is that right?', /\$2,000/],
    [deductible, 'So $2,000 of the deductible has been met. Is that right?', /\$150/],
    [ninety, 'So the cost of ninety tablets is $90. Is that right?', /\$68\.50/],
  ])('is corrected if wrong: %s "%s"', (question, readBack, right) => {
    expect(askThen(question, readBack)).not.toMatch(/^Yes/);
    expect(askThen(question, readBack)).toMatch(right);
  });

  test.each([
    [covered, 'Is that covered under the plan, yes or no?'],
    [covered, 'Just to be sure: is it covered, yes or no?'],
    [covered, 'I would need a clear yes or no, if possible. Is it covered?'],
  ])('is ignored in a repeated question: %s "%s"', (question, again) => {
    expect(askThen(question, again)).toMatch(/leaves that one out|on you/);
    expect(askThen(question, again)).not.toMatch(/right|correct|exactly/);
  });

  test.each([
    ['So $75 of the pocket maximum has been met. Is that right?', /^(Yes|That's right)/],
    ['So the pocket maximum is $75. Is that right?', /\$4,000/],
  ])('is about the value with its full name, of two that were told: "%s"', (readBack, reply) => {
    const { heard } = play(character, 'What is the pocket maximum?', 'How much has been spent?', readBack);
    expect(heard.at(-1)).toMatch(reply);
  });
});

test.each([
  ['So $310 of the card limit has been met. Is that right?', /^(Yes|That's right)/],
  ['So $900 of the card limit has been met. Is that right?', /\$310/],
])('a read-back is about what it names last, of two values in one answer: "%s"', (readBack, reply) => {
  expect(play(character, 'How much of the card has been met?', readBack).heard.at(-1)).toMatch(reply);
});

test('a read-back names a value in any form of its words', () => {
  const question = 'How many vials are there?';
  const limit = (count: number) => `So the limit on the number of vials is ${count}. Is that right?`;
  expect(play(character, question, limit(30)).heard.at(-1)).toMatch(/^(Yes|That's right)/);
  expect(play(character, question, limit(8)).heard.at(-1)).toMatch(/30/);
});

test('what was made of a reply that told nothing is not confirmed', () => {
  const { heard } = play(
    character,
    'What is the fee?',
    'Do you sell umbrellas, too?',
    'Then that is a no. Is that right?',
  );
  expect(heard.at(-1)).not.toMatch(/^(Yes|That's right|No)/);
});

describe('a read-back of what was answered vaguely', () => {
  const vague = somePersona({
    ...quiet,
    temper: { vague: 1 },
    knows: { dog: { yes: true }, cat: { yes: false }, deposit: { money: 45 }, pets: { text: 'two at most' } },
    desks: [
      {
        desk: 'office',
        topics: [
          { topic: 'dog', asked_by: ['dog*'], says: ['Bring the dog.'], tells: ['dog'], is_public: true },
          {
            topic: 'cat',
            asked_by: ['cat*'],
            says: ['The house rules leave cats out.'],
            tells: ['cat'],
            vaguely: ['Cats, that is hit or miss.'],
            is_public: true,
          },
          {
            topic: 'deposit',
            asked_by: ['deposit'],
            says: ['It is {deposit}.'],
            vaguely: ['Thirty or forty, somewhere there.'],
            is_public: true,
          },
        ],
      },
    ],
  });

  test.each([
    ['Are cats allowed?', 'So that is a yes. Is that right?', /^No\b.*leave cats out/],
    ['Are cats allowed?', 'So that is a no. Is that right?', /^(Yes|That's right)/],
    ['How much is the deposit?', 'So the deposit is $40. Is that right?', /\$45/],
    ['How much is the deposit?', 'So that is $40. Is that right?', /\$45/],
    ['How much is the deposit?', 'So that is $45. Is that right?', /^(Yes|That's right)/],
  ])('is answered by what they know: %s "%s"', (question, readBack, reply) => {
    const { heard } = play(vague, 'Are dogs allowed?', question, readBack);
    expect(heard.at(-1)).toMatch(reply);
  });
});

test.each([
  ['So the payment was issued on last Friday. Is that right?', /November 11th/],
  ['So that is last Friday. Is that right?', /November 11th/],
  ['So that is November 11. Is that right?', /^(Yes|That's right)/],
])('a slip that is read back is corrected: "%s"', (readBack, reply) => {
  const cashier = somePersona({
    ...quiet,
    temper: {
      misspeaks: {
        fact: 'issued',
        instead: 'last Friday',
        corrects: ['Not that one. {right}.'],
        when: 'same-turn',
      },
    },
    knows: { issued: { days_from_today: -9 } },
    desks: [
      {
        desk: 'office',
        topics: [
          { topic: 'issued', asked_by: ['issued'], says: ['Payment date, {issued}.'], is_public: true },
        ],
      },
    ],
  });
  const { heard } = play(cashier, 'When was it issued?', readBack);
  expect(heard.at(-1)).toMatch(reply);
});

test('a slip is not heard in a longer number', () => {
  const clerk = somePersona({
    ...quiet,
    temper: { misspeaks: { fact: 'copay', instead: '$20', corrects: ['No, {right}.'] } },
    knows: { copay: { money: 25 }, deductible: { money: 200 } },
    desks: [
      {
        desk: 'office',
        topics: [
          { topic: 'copay', asked_by: ['copay'], says: ['{copay}.'], is_public: true },
          { topic: 'deductible', asked_by: ['deductible'], says: ['{deductible}.'], is_public: true },
        ],
      },
    ],
  });
  const readBack = 'So the deductible is $200. Is that right?';
  const { heard } = play(clerk, 'What is the copay?', 'What is the deductible?', readBack);
  expect(heard.at(-1)).toMatch(/^(Yes|That's right)/);
});
