import { describe, expect, test } from 'vitest';
import { proceedWithQuestions } from '#shared/voice-agent/built-in-model/questions.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { coverage, notice, outcomeOf, ships, ticket } from './asked-item.ts';
import { planWith, talk } from './talking.ts';

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

test('after a question that was not understood, ours continues', () => {
  const { last } = outcomeOf(ships, 'You mean the big crates, or the envelopes?');
  expect(last.words).toMatch(/Do you ship to Ohio\?$/);
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
