import { describe, expect, test } from 'vitest';
import { proceedWithQuestions } from '#shared/voice-agent/built-in-model/questions.ts';
import { clientItem, itemsOf } from '#shared/voice-agent/call-plan/items.ts';
import { outcomeOf } from './asked-item.ts';
import { planWith, talk } from './talking.ts';

const price = {
  ...clientItem('question_0', 'What is the fee for a copy of the chart?', null, []),
  required: true,
};
const ticket = { ...clientItem('question_1', 'What is the ticket number?', null, []), required: true };

describe('a value that is easily misheard', () => {
  test.each([
    [ticket, 'It is QX 4 4 7 1.', 'Q X, 4 4 7 1'],
    [price, 'It is $86. Sorry, no, it is $68.', '$68'],
    [price, 'The fee for the whole chart is $45, single sheets are $3.', '$45'],
  ])('is read back first: %o "%s"', (item, reply, value) => {
    const { words } = outcomeOf(item, reply).last;
    expect(words).toContain(value);
    expect(words).toMatch(/Is that right\?$/);
  });

  test('stands once confirmed, and is not read back again', () => {
    const { last, answers } = outcomeOf(ticket, 'It is QX 4 4 7 1.', 'Yes! Exactly.');
    expect(answers.question_1).toMatchObject({ value: 'QX4471', needs_review: false });
    expect(last.words).not.toMatch(/Is that right\?/);
  });

  test.each(['Correct as can be.', 'yep you have that right'])(
    'stands when the reply begins with a yes: "%s"',
    (reply) => {
      const { answers } = outcomeOf(
        price,
        'The fee for the whole chart is $45, single sheets are $3.',
        reply,
      );
      expect(answers.question_0).toMatchObject({ value: 45, needs_review: false });
    },
  );

  test('is left for review if they only say it again, and it may mean two amounts', () => {
    const said = 'The fee is eight fifty.';
    const { turns, answers } = outcomeOf(price, said, said);
    expect(turns[0]?.words).toContain('$850');
    expect(answers.question_0).toMatchObject({ value: null, answer: said, needs_review: true });
    expect(outcomeOf(price, said, 'Yes, eight hundred and fifty.').answers.question_0).toMatchObject({
      value: 850,
    });
  });

  test('stands for nothing if that is what they repeat', () => {
    const items = itemsOf('VERIFY_INSURANCE', { facts: [], wishes: '', isRescheduling: false });
    const share = items.find(({ key }) => key === 'coinsurance') ?? price;
    const said = 'No percentage at all for the therapy.';
    const { turns, answers } = outcomeOf(share, said, said, 'Like I said, no percentage at all.');
    expect(turns[1]?.words).toContain('0%');
    expect(answers.coinsurance).toMatchObject({ value: 0, needs_review: false });
  });

  test('stands if confirmed beside a correction of another one', () => {
    const { answers } = outcomeOf(
      price,
      'The fee for the whole chart is $45, and she has $31 on account.',
      "Sorry, I misread, it's $13 on account. Yes, that's right.",
    );
    expect(answers.question_0).toMatchObject({ value: 45, needs_review: false });
  });

  test('is replaced by its correction', () => {
    const { answers } = outcomeOf(ticket, 'It is QX 4 4 7 1.', 'No, it is QX 4 4 1 7.');
    expect(answers.question_1).toMatchObject({ value: 'QX4417', needs_review: false });
  });

  test.each(["I'd have to ask somebody about that.", 'That is not showing on my end.'])(
    'is left to a person when nobody confirms it: "%s"',
    (reply) => {
      const { answers } = outcomeOf(
        price,
        'The fee for the whole chart is $45, single sheets are $3.',
        reply,
      );
      expect(answers.question_0).toMatchObject({ value: null, needs_review: true });
    },
  );

  test('is read back, and stays, if the rest of the reply is about another case', () => {
    const { last, answers } = outcomeOf(price, 'The fee is $45.', 'If it is on paper it is $60.');
    expect(answers.question_0).toMatchObject({ value: 45 });
    expect(last.words).toContain('$45. Is that right?');
  });

  test('needs review if the reply tells several others', () => {
    const { answers } = outcomeOf(
      price,
      'It is $86. Sorry, no, it is $68.',
      'On paper it runs $71, on a disc $74.',
    );
    expect(answers.question_0).toMatchObject({ value: null, needs_review: true });
  });

  test('stays if the other value is of the other network', () => {
    const items = itemsOf('VERIFY_INSURANCE', { facts: [], wishes: '', isRescheduling: false });
    const copay = items.filter(({ key }) => key === 'copay');
    const outside = { value: false, answer: 'No', quote: 'No.', turn: 1, needs_review: false };
    const replies = [
      'no copay out of network, $40 in network. So none for her here.',
      'There is no copay out of network, $40 in network.',
    ];
    const { answers } = talk(proceedWithQuestions, replies, {
      plan: planWith({ task_type: 'VERIFY_INSURANCE', callee: 'insurer', items, subject: 'x' }),
      answers: [{ key: 'in_network', ...outside }],
      memory: {
        pending: 'copay',
        attempts: { copay: 1 },
        last_words: copay.map(({ question }) => ({ text: question, fields: [], kind: 'question' })),
        purpose_said: true,
      },
    });
    expect(answers.copay?.value).toBe(0);
  });

  test('needs review if denied without a correction', () => {
    const { answers } = outcomeOf(ticket, 'It is QX 4 4 7 1.', 'No, that is not it.');
    expect(answers.question_1).toMatchObject({ value: null, needs_review: true });
  });
});

test('of two, the one that is put right in any words counts', () => {
  const { answers } = outcomeOf(price, 'It runs $75. What am I saying, that was the old sheet, $57.', 'Yes.');
  expect(answers.question_0).toMatchObject({ value: 57, needs_review: false });
});

test('a correction applies only to the value read back', () => {
  const items = itemsOf('REIMBURSEMENT', { facts: [], wishes: '', isRescheduling: false });
  const told = (key: string, value: number) => ({
    ...{ key, value, answer: `$${value}`, quote: `${value}`, turn: 1, needs_review: false },
  });
  const { answers } = talk(proceedWithQuestions, ["no it's three hundred ninety dollars"], {
    plan: planWith({ task_type: 'REIMBURSEMENT', callee: 'claims-department', items, subject: 'x' }),
    answers: [told('paid_amount', 710), told('allowed_amount', 520)],
    memory: {
      pending: 'value-read-back',
      read_back: { pending: 'paid_amount', done: ['paid_amount'] },
      purpose_said: true,
    },
  });
  expect(answers.paid_amount).toMatchObject({ value: 390 });
  expect(answers.allowed_amount).toMatchObject({ value: 520 });
});

test('a value that stands alone is accepted', () => {
  const { last, answers } = outcomeOf(price, 'The fee is $45.');
  expect(answers.question_0).toMatchObject({ value: 45 });
  expect(last.words).not.toMatch(/Is that right\?/);
});

describe('the likely meaning of an uncertain number', () => {
  const copy = {
    ...clientItem('copy_price', 'What does a copy of the chart cost?', null, []),
    required: true,
  };
  const unsure = [
    'it is twelve dollars on paper nine dollars by mail',
    'twelve dollars on paper nine dollars by mail',
  ];

  test('is requested in other words first, and then read back', () => {
    const { turns, answers } = outcomeOf(copy, ...unsure, 'Exactly what I told you.');
    expect(turns[0]?.words).not.toContain('Is that right?');
    expect(turns[1]?.words).toMatch(/\$12\. Is that right\?$/);
    expect(answers.copy_price).toMatchObject({ value: 12, needs_review: false });
  });

  test("is not requested if their words answer a client's question", () => {
    const own = { ...copy, key: 'question_2' };
    for (const said of [unsure[0] ?? '', 'The first ten pages are free and then nine cents a page.']) {
      const { answers, last } = outcomeOf(own, said);
      expect(answers.question_2).toMatchObject({ value: null, needs_review: false });
      expect(last.words).not.toContain('?');
    }
  });

  test.each(["Not quite, it's nine dollars.", 'It is $9.'])(
    'gives way to another that is said instead: "%s"',
    (reply) => {
      const { answers } = outcomeOf(copy, ...unsure, reply);
      expect(answers.copy_price).toMatchObject({ value: 9, needs_review: false });
    },
  );
});

test('"it is" confirms a read-back, unless the question itself asks whether it is', () => {
  const ships = { ...clientItem('question_3', 'Do you ship to Ohio?', null, []), required: true };
  const open = { ...clientItem('question_3', 'Is the shop open on Sundays?', null, []), required: true };
  expect(outcomeOf(ships, 'That far out, hardly.', 'It is, it is.').answers.question_3).toMatchObject({
    value: false,
    needs_review: false,
  });
  expect(outcomeOf(open, 'On a Sunday, hardly.', 'It is.').answers.question_3?.value ?? null).not.toBe(false);
});

test('a replacement for a denied value stands for review, and the value does not', () => {
  const hours = {
    ...clientItem('question_4', 'When does the library close on weekdays?', null, []),
    required: true,
  };
  const { turns, answers } = outcomeOf(
    hours,
    'today only it is six, not like the rest of the week',
    'No, we lock up at nine on weekdays.',
  );
  expect(turns[0]?.words).toMatch(/Is that right\?$/);
  expect(answers.question_4).toMatchObject({ value: null, needs_review: true });
  expect(answers.question_4?.quote).toContain('nine on weekdays');
});

describe('a no that was read back', () => {
  const ships = { ...clientItem('question_5', 'Do you ship to Ohio?', null, []), required: true };
  const denied = ['That far out, hardly.', 'No, sorry, tell all your friends out there.'];

  test('is read back as a yes if denied ambiguously', () => {
    const { turns, last, answers } = outcomeOf(ships, ...denied, "That's right.");
    expect(turns[0]?.words).toContain('So that is a no.');
    expect(turns[1]?.words).toContain('So that is a yes. Is that right?');
    expect(answers.question_5).toMatchObject({ value: true, needs_review: false });
    expect(last.words).not.toContain('Is that right?');
  });

  test('is read back as a yes if a no and a yes reply to it', () => {
    const replies = ['That far out, hardly.', "No, sorry, we ship, yes. It's pianos we don't."];
    const { turns } = outcomeOf(ships, ...replies);
    expect(turns[0]?.words).toContain('So that is a no.');
    expect(turns[1]?.words).toContain('So that is a yes. Is that right?');
  });

  test('is not settled by a person who cannot know', () => {
    const { answers } = outcomeOf(ships, 'That far out, hardly.', 'Nobody here would know, I have no idea.');
    expect(answers.question_5).toMatchObject({ value: null, needs_review: true });
  });

  test('stands if the yes is denied, too', () => {
    const { answers } = outcomeOf(ships, ...denied, 'No, we do not.');
    expect(answers.question_5).toMatchObject({ value: false, needs_review: false });
  });
});

test('words that merely find nothing do not reverse a likely yes', () => {
  const item = { ...clientItem('question_0', 'Is the order ready?', null, []), required: true };
  const { answers } = talk(proceedWithQuestions, ['Nothing in the drawer either.'], {
    plan: planWith({ task_type: 'CUSTOM_TASK', callee: 'office', items: [item], subject: 'x' }),
    memory: {
      pending: 'value-read-back',
      read_back: { pending: item.key, done: [item.key] },
      leaned: { [item.key]: { value: true, answer: 'Yes', quote: 'Could be.', turn: 0 } },
      attempts: { [item.key]: 2 },
      purpose_said: true,
    },
  });
  expect(answers.question_0).toMatchObject({ value: null, needs_review: true });
});

test('a reproach that repeats an earlier word is not an answer', () => {
  const question = 'How can somebody outside the county get a copy of the map?';
  const item = { ...clientItem('question_0', question, null, []), required: true };
  const { answers } = talk(
    proceedWithQuestions,
    ["There's a drive-through window.", "We've been through that."],
    {
      plan: planWith({ task_type: 'CUSTOM_TASK', callee: 'office', items: [item], subject: 'x' }),
      memory: {
        pending: item.key,
        attempts: { [item.key]: 2 },
        last_words: [{ text: question, fields: [], kind: 'question' as const }],
        purpose_said: true,
      },
    },
  );
  expect(answers.question_0).toMatchObject({ value: null, needs_review: true });
});

test.each([
  "Only inside the county, when it's over $50.",
  'For orders over fifty dollars we bring it by.',
  'We can, but somebody over eighteen has to sign for it.',
])('a limited answer stands in its words, without a yes or no: "%s"', (said) => {
  const deliver = { ...clientItem('question_3', 'Do you deliver?', null, []), required: true };
  const { turns, answers } = outcomeOf(deliver, said);
  expect(turns[0]?.words).not.toContain('?');
  expect(answers.question_3).toMatchObject({ value: null, answer: said, needs_review: false });
});

test('who says yes to a part is asked once more', () => {
  const stocked = { ...clientItem('question_3', 'Do you have it in stock?', null, []), required: true };
  const { turns, answers } = outcomeOf(stocked, 'Some of it, yes.', 'Some of it, yes.');
  expect(turns[0]?.words).toContain('Do you have it in stock?');
  expect(answers.question_3).toMatchObject({ value: null, answer: 'Some of it, yes.', needs_review: false });
});

test('a plain yes that was read back is disputed by the opposite in words of the question', () => {
  const stairs = {
    ...clientItem('question_2', 'Do your drivers carry a chair up the stairs?', null, []),
    required: true,
  };
  const plan = planWith({
    task_type: 'CUSTOM_TASK',
    callee: 'office',
    items: [stairs],
    subject: 'with a question',
  });
  const memory = {
    pending: 'value-read-back',
    attempts: { question_2: 1 },
    leaned: { question_2: { value: true, answer: 'Yes', quote: 'Give me one.', turn: 1 } },
    read_back: { pending: 'question_2', done: ['question_2'] },
    last_words: [{ text: 'So that is a yes. Is that right?', fields: [], kind: 'question' as const }],
    purpose_said: true,
  };
  const reply = "Okay, back with you. We don't carry anybody up.";
  const { answers } = talk(proceedWithQuestions, [reply], { plan, memory });
  expect(answers.question_2?.value).not.toBe(true);
});
