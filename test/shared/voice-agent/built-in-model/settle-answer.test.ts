import { describe, expect, test } from 'vitest';
import { proceedWithQuestions } from '#shared/voice-agent/built-in-model/questions.ts';
import type { PlanItem } from '#shared/voice-agent/call-plan/call-plan.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { coverage, notice, outcomeOf, ships, ticket } from './asked-item.ts';
import { planWith, talk } from './talking.ts';

describe('a question of ours', () => {
  test('stays open for a number while they ask something first', () => {
    const { answers } = outcomeOf(
      notice,
      "What's the date of birth of the patient?",
      'Thanks. You have to book two days ahead.',
    );
    expect(answers.question_0).toMatchObject({ value: 2, needs_review: false });
  });

  test('is answered by a yes with its limit, and not asked again for a plain one', () => {
    const { turns, answers } = outcomeOf(ships, 'Yes, as long as somebody signs for it.');
    expect(turns[0]?.words).not.toContain(ships.question);
    expect(answers.question_1).toMatchObject({ value: null, needs_review: false });
    const vague = outcomeOf(ships, 'That depends on the weather.');
    expect(vague.turns[0]?.words).toContain(ships.question);
  });

  test('is not answered by a promise', () => {
    const { turns, answers } = outcomeOf(ticket, 'Sure thing.', 'It is QX 4 4 7 1.');
    expect(turns[0]?.actions.some(({ type }) => type === 'end')).toBe(false);
    expect(answers.question_2).toMatchObject({ value: 'QX4471' });
  });

  test.each([
    ["Yes, that's right.", false],
    ['Mm-hm, you got that correct.', false],
    ['No. We ship there every single week.', true],
    ["No, we don't.", false],
  ])(
    'reads back the likely meaning of an uncertain answer, which the reply settles: "%s"',
    (reply, value) => {
      const { turns, answers } = outcomeOf(ships, 'That far out, hardly.', reply);
      expect(turns[0]?.words).toBe('So that is a no. Is that right?');
      expect(answers.question_1).toMatchObject({ value, needs_review: false });
    },
  );

  test.each(['no sorry the driver gets out there too', 'no out there on fridays', 'No wait, Fridays, sure.'])(
    'is not denied by the no to a no that was read back: "%s"',
    (reply) => {
      expect(outcomeOf(ships, 'That far out, hardly.', reply).answers.question_1?.value).not.toBe(false);
    },
  );

  test('repeats a read-back that was not understood', () => {
    const { last, answers } = outcomeOf(ships, 'That far out, hardly.', 'Sorry, could you repeat that?');
    expect(last.words).toContain('So that is a no. Is that right?');
    expect(answers.question_1).toBeUndefined();
  });

  test('is left for review if a yes may refer to the question or to the no read back', () => {
    expect(outcomeOf(ships, 'That far out, hardly.', 'Yes, we do.').answers.question_1).toMatchObject({
      value: null,
      needs_review: true,
    });
  });

  test('stays open if they cannot answer and name another who can', () => {
    const who = {
      ...clientItem('question_3', 'To whom should the slip be given?', null, []),
      required: true,
    };
    const said = 'Not me. That would be whoever sits at the parts counter.';
    const { turns, answers } = outcomeOf(who, said, said);
    expect(turns[0]?.words).toContain('To whom should the slip be given?');
    expect(answers.question_3?.quote).toContain('parts counter');
  });

  test('is settled by two uncertain answers that agree', () => {
    const unsure = 'That far out, hardly.';
    expect(outcomeOf(ships, unsure).answers.question_1).toBeUndefined();
    expect(outcomeOf(ships, unsure, 'Not so much out there.').answers.question_1).toMatchObject({
      value: false,
      needs_review: false,
    });
  });

  test('is not settled by repeating one uncertain answer', () => {
    const unsure = 'That far out, hardly.';
    expect(outcomeOf(ships, unsure, unsure).answers.question_1).toBeUndefined();
    expect(outcomeOf(ships, unsure, unsure, unsure).answers.question_1).toMatchObject({
      value: null,
      needs_review: true,
    });
  });
});

describe('an answer in words', () => {
  const asking = (question: string): PlanItem => ({
    ...clientItem('question_3', question, null, []),
    required: true,
  });

  test.each([
    ['Who repairs the wheelchairs?', "that would be tamsin's workshop"],
    ['When does the desk open?', 'we open at ten on weekdays and at noon on sundays'],
    ['What is the discount for cash?', 'We take eight percent off for cash.'],
  ])('stands if the question did not show its kind: "%s"', (question, said) => {
    const { answers } = outcomeOf(asking(question), said);
    expect(answers.question_3).toMatchObject({ value: null, quote: said, needs_review: false });
  });

  test('is not a story if a person was asked for', () => {
    const { answers } = outcomeOf(
      asking('Who repairs the wheelchairs?'),
      'My uncle had one of those chairs and rode it all the way down the hill and back.',
    );
    expect(answers.question_3).toBeUndefined();
  });

  test('stands when repeated to the repeated question', () => {
    const { turns, answers } = outcomeOf(
      asking('Which fruits are grown at the farm?'),
      'plums and quinces my mother planted them',
      'plums and quinces folks drive down from the hills',
    );
    expect(turns[0]?.words).toContain('Which fruits are grown at the farm?');
    expect(answers.question_3).toMatchObject({ needs_review: false });
    expect(answers.question_3?.quote).toContain('plums and quinces');
  });
});

test('words that answered another question do not answer a new one', () => {
  const open = clientItem('question_0', 'Is the gate open on holidays?', null, []);
  const way = clientItem('question_1', 'How do patients get in then?', null, []);
  const plan = planWith({
    task_type: 'CUSTOM_TASK',
    callee: 'office',
    items: [open, way],
    subject: 'with questions',
  });
  const question = { text: open.question, fields: [], kind: 'question' as const };
  const memory = {
    pending: open.key,
    attempts: { [open.key]: 1 },
    last_words: [question],
    purpose_said: true,
  };
  const first = 'Yes, it is open every holiday.';
  const { answers } = talk(proceedWithQuestions, [first, `As I told you, ${first.toLowerCase()}`], {
    plan,
    memory,
  });
  expect(answers.question_0?.value).toBe(true);
  expect(answers.question_1).toBeUndefined();
});

describe('of a person they cannot find', () => {
  const inactive = "No, we don't have her, nothing active on our side.";

  test('nothing is denied', () => {
    const { answers } = outcomeOf(coverage, "I can't find any member with that number.", inactive);
    expect(answers).not.toHaveProperty('coverage_active');
  });

  test('a denial counts if the person was found', () => {
    const { answers } = outcomeOf(coverage, 'No, it is not active.');
    expect(answers.coverage_active).toMatchObject({ value: false });
  });
});

describe('a person who speaks in pieces', () => {
  const signer = { ...clientItem('question_3', 'Who signs the permission slip?', null, []), required: true };

  test('reaches the answer while our question is open', () => {
    const { answers } = outcomeOf(
      signer,
      'sideways',
      'it is signed by one of the parents and the school nurse',
    );
    expect(answers.question_3?.quote).toContain('one of the parents');
  });

  test('is quoted by the first answer, not a later word', () => {
    const { answers } = outcomeOf(signer, 'one of the parents signs the slip', 'over here');
    expect(answers.question_3?.quote).toContain('one of the parents');
  });
});

test.each([
  ['Only for orders over fifty dollars, though.', null],
  ['And the van is blue.', false],
])('a yes or no is limited by what they add before we go on: "%s"', (said, value) => {
  const plan = planWith({ task_type: 'CUSTOM_TASK', callee: 'office', items: [ships], subject: 'x' });
  const { answers } = talk(proceedWithQuestions, [said], {
    plan,
    answers: [{ key: ships.key, value: false, answer: 'No', quote: 'No.', turn: 0, needs_review: false }],
    memory: {
      pending: ships.key,
      attempts: { [ships.key]: 1 },
      last_words: [{ text: ships.question, fields: [], kind: 'question' }],
      purpose_said: true,
    },
  });
  expect(answers[ships.key]?.value).toBe(value);
});

test('the absence of a requested value is an answer for review, and is not asked again', () => {
  const deposit = { ...clientItem('question_3', 'How much is the deposit?', null, []), required: true };
  const { turns, answers } = outcomeOf(deposit, 'We do not take deposits.');
  expect(answers.question_3).toMatchObject({ value: null, needs_review: true });
  expect(turns[0]?.words).not.toContain('deposit');
});
