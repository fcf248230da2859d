import { describe, expect, test } from 'vitest';
import { askedAgain } from '#shared/voice-agent/built-in-model/asked-of-us.ts';
import { answerQuestions } from '#shared/voice-agent/built-in-model/facts-asked.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { factOf, planWith, talk } from './talking.ts';

describe('a request repeated in the same words', () => {
  const facts = [
    factOf('claim-number', 'claim number', 'B 4 4 1'),
    factOf('member-id', 'member ID', 'M 9 0'),
    factOf('patient-name', "patient's name", 'Ida Marsh'),
    factOf('visit-reason', 'reason for the visit', 'a sore knee'),
  ];
  const answersTo = (...prompts: readonly string[]): string[] =>
    talk((draft, heard) => answerQuestions(draft, heard, true), prompts, {
      plan: planWith({ facts }),
    }).turns.map(({ words }) => words);

  test('wants what else it may mean', () => {
    const said = "What's the number?";
    expect(answersTo(said, said)).toEqual(['The claim number is B 4 4 1.', 'The member ID is M 9 0.']);
  });

  test('may mean that we were not heard', () => {
    const said = "What's the claim number?";
    const again = "Sorry, say that again? What's the claim number?";
    expect(answersTo(said, again)).toEqual(['The claim number is B 4 4 1.', 'The claim number is B 4 4 1.']);
  });

  test('for a part of the name wants the whole', () => {
    const said = "What's the last name, and the first?";
    const parts = [
      factOf('last-name', 'last name', 'Marsh'),
      factOf('first-name', 'first name', 'Ida'),
      ...facts,
    ];
    const { turns } = talk((draft, heard) => answerQuestions(draft, heard, true), [said, said], {
      plan: planWith({ facts: parts }),
    });
    expect(turns[1]?.words).toContain('Ida Marsh');
  });

  test('is told the same twice at most', () => {
    const said = "What's the reason for the visit?";
    const [first, second, third] = answersTo(said, said, said);
    expect([first, second]).toEqual(Array(2).fill('The reason for the visit is a sore knee.'));
    expect(third).toMatch(/don't have that information/);
  });
});

test.each(['he allergic to shellfish or iodine', 'she have a pacemaker or anything metal'])(
  'a request that we cannot answer gets "I don’t know" when repeated: "%s"',
  (request) => {
    const said = Array.from({ length: 2 }, () => request);
    const { turns } = talk((draft, heard) => answerQuestions(draft, heard, true), said);
    expect(turns[0]?.words).toBe('');
    expect(turns[1]?.words).toContain("I don't have that information");
  },
);

test('a request repeated word for word after another one is not passed over', () => {
  const said = 'The password from our letter in May?';
  const heard = understand(said, 5, { today: '2026-11-16', after: 'question' });
  expect(askedAgain(heard, [said, 'Go ahead with it.'])?.text).toBe(said);
});

test('a fact that we lack is named in the plural if it is one', () => {
  const said = Array.from({ length: 2 }, () => 'What are the procedure codes?');
  const { last } = talk((draft, heard) => answerQuestions(draft, heard, true), said);
  expect(last.words).toBe('The procedure codes were not given to me. Can we go on without them?');
});

test('"hello?", said twice, is no request', () => {
  const { turns } = talk((draft, heard) => answerQuestions(draft, heard, true), ['Hello?', 'Hello?']);
  expect(turns[1]?.words).not.toContain("don't have");
});
