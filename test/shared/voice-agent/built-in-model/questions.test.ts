import { describe, expect, test } from 'vitest';
import { proceedWithQuestions } from '#shared/voice-agent/built-in-model/questions.ts';
import type { PlanItem } from '#shared/voice-agent/call-plan/call-plan.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { planWith, type Talk, talk } from './talking.ts';

const notice = {
  ...clientItem('question_0', 'How many days ahead does a ride have to be booked?', null, []),
  required: true,
};
const ships = { ...clientItem('question_1', 'Do you ship to Ohio?', null, []), required: true };
const coverage = {
  ...clientItem('coverage_active', 'Is the coverage currently active?', null, []),
  required: true,
};
const ticket = { ...clientItem('question_2', 'What is the ticket number?', null, []), required: false };

/** What comes of these replies, the first of them to the question for an item. */
function outcomeOf(item: PlanItem, ...replies: readonly string[]): Talk {
  const plan = planWith({
    task_type: 'CUSTOM_TASK',
    callee: 'office',
    items: [item],
    subject: 'with a question',
  });
  const question = { text: item.question, fields: [], kind: 'question' as const };
  return talk(proceedWithQuestions, replies, {
    plan,
    memory: { pending: item.key, attempts: { [item.key]: 1 }, last_words: [question], purpose_said: true },
  });
}

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

describe('a person who can tell little', () => {
  const plan = planWith({ task_type: 'CUSTOM_TASK', callee: 'office', items: [ships, coverage, notice] });
  const asked = {
    pending: ships.key,
    attempts: { [ships.key]: 1 },
    last_words: [{ text: ships.question, fields: [], kind: 'question' as const }],
    purpose_said: true,
  };

  test('is asked the rest', () => {
    const others = ['Who owns the shop?', 'Who is the manager?', 'Who drives the van?'].map((question, at) =>
      clientItem(`question_${at + 4}`, question, null, []),
    );
    const withheld = others.map(() => "I'm not allowed to give that out.");
    const { answers } = talk(
      proceedWithQuestions,
      ['Yes, we ship to Ohio.', ...withheld, 'Two days ahead.'],
      {
        plan: { ...plan, items: [ships, ...others, notice] },
        memory: asked,
      },
    );
    expect(answers.question_0).toMatchObject({ value: 2 });
  });

  test('is told what they confirm, and asked on', () => {
    const { last } = talk(proceedWithQuestions, ['Same here, correct. Go ahead and ask.'], {
      plan,
      memory: asked,
    });
    expect(last.words).toContain(ships.question);
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

describe('a required answer', () => {
  test('is requested once more before the call ends', () => {
    const { turns, answers } = outcomeOf(
      notice,
      'Somebody is at the window.',
      'Not that pile, Ed.',
      'Two days.',
    );
    expect(turns[1]?.words).toMatch(/Before we finish, one more time, how many days ahead/);
    expect(answers.question_0).toMatchObject({ value: 2, needs_review: false });
  });

  test('is not requested a fourth time', () => {
    const { last } = outcomeOf(notice, 'Not that pile, Ed.', 'Not that pile, Ed.', 'Not that pile, Ed.');
    expect(last.actions).toContainEqual({ type: 'end', reason: 'finished', farewell: 'thanks' });
  });

  test('is not requested again from people who do not know it', () => {
    const { last } = outcomeOf(notice, "I don't know that.");
    expect(last.actions).toContainEqual({ type: 'end', reason: 'finished', farewell: 'thanks' });
  });
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

test('after a question that was not understood, ours continues', () => {
  const { last } = outcomeOf(ships, 'You mean the big crates, or the envelopes?');
  expect(last.words).toMatch(/Do you ship to Ohio\?$/);
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

test('"any of those?" requests no fact', () => {
  const { turns } = outcomeOf(notice, 'Two days, or three on a holiday. Any of those?');
  expect(turns[0]?.words).not.toContain('automated');
});

test('a reply to a read-back requests nothing merely by its sound', () => {
  const { turns } = outcomeOf(
    ticket,
    'It is R W seven seven four one.',
    'Exactly so, that is the one on it.',
  );
  expect(turns[0]?.words).toContain('read that back');
  expect(turns[1]?.words).not.toContain('sorry');
});

describe('a question that they do not understand', () => {
  const wing = { ...clientItem('question_5', 'Which wing is the lab in?', null, []), required: true };
  const pardon = 'Could you say that again, please?';

  test('is heard three times at most, and then left open', () => {
    const { turns } = outcomeOf(wing, ...Array(4).fill(pardon));
    const asked = turns.filter(({ words }) => words.includes('hich wing is the lab in?'));
    expect(asked.length).toBeLessThanOrEqual(3);
    expect(turns.at(-1)?.actions.some(({ type }) => type === 'end')).toBe(true);
  });

  test('is not repeated for an apology at the end of a reply', () => {
    const { turns } = outcomeOf(wing, "That's not on my sheet, sorry.");
    expect(turns[0]?.words).not.toContain('hich wing is the lab in?');
  });
});

test('a postponed amount is requested once more at the end, and not a third time', () => {
  const deposit = { ...clientItem('question_4', 'How much is the deposit?', null, []), required: true };
  const { turns } = outcomeOf(deposit, "It's not that bad, really.", "I couldn't tell you.");
  expect(turns[0]?.words).toContain('one more time, how much is the deposit?');
  expect(turns[1]?.words).not.toContain('deposit');
  expect(outcomeOf(deposit, "I couldn't tell you.").turns[0]?.words).not.toContain('deposit');
});

test('the absence of a requested value is an answer for review, and is not asked again', () => {
  const deposit = { ...clientItem('question_3', 'How much is the deposit?', null, []), required: true };
  const { turns, answers } = outcomeOf(deposit, 'We do not take deposits.');
  expect(answers.question_3).toMatchObject({ value: null, needs_review: true });
  expect(turns[0]?.words).not.toContain('deposit');
});

test('words that lean to an answer are not an obstacle', () => {
  const order = {
    ...clientItem('question_4', "Does the scan need a doctor's order?", null, []),
    required: true,
  };
  const { turns } = outcomeOf(order, 'He needs one from his own doctor.');
  expect(turns[0]?.words).not.toContain('What should we do instead?');
});

test('a rule that stands beside what leans to an answer is an obstacle', () => {
  const copies = {
    ...clientItem('question_6', 'Do you mail copies of the X-rays?', null, []),
    required: true,
  };
  const said =
    'oh i would love to but the families we serve have us do that in writing only you fax the request we fax it back';
  expect(outcomeOf(copies, said).turns[0]?.words).toContain('What should we do instead?');
});

test('a claim on hold asks nobody to wait', () => {
  const item = clientItem('claim_status', 'What is the status of the claim?', null, []);
  const said = "It's on hold at the minute.";
  const { turns } = outcomeOf({ ...item, required: true, kind: 'claim-status' }, said);
  expect(turns[0]?.words).toContain(item.question);
  expect(turns[0]?.actions).not.toContainEqual(expect.objectContaining({ type: 'wait' }));
});
