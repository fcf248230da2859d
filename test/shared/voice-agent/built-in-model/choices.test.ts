import { expect, test } from 'vitest';
import { answerQuestions } from '#shared/voice-agent/built-in-model/facts-asked.ts';
import { proceedWithQuestions } from '#shared/voice-agent/built-in-model/questions.ts';
import { itemsOf } from '#shared/voice-agent/call-plan/items.ts';
import type { RecordedAnswer } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { factOf, planWith, type Talk, talk } from './talking.ts';

const plan = planWith({
  task_type: 'VERIFY_INSURANCE',
  callee: 'insurer',
  items: itemsOf('VERIFY_INSURANCE', { facts: [], wishes: '', isRescheduling: false }),
  subject: 'about insurance benefits',
});

/** Asked for the copay. */
function after(said: string, answers: readonly RecordedAnswer[] = []): Talk {
  const question = { text: 'What is the copay?', fields: [], kind: 'question' as const };
  const memory = { pending: 'copay', attempts: { copay: 1 }, last_words: [question], purpose_said: true };
  return talk(proceedWithQuestions, [said], { plan, memory, answers });
}

const outside: RecordedAnswer = {
  key: 'in_network',
  answer: 'No',
  value: false,
  quote: 'They are out of network.',
  turn: 1,
  needs_review: false,
};

test.each([
  ['Which side do you want, in network or out?', 'In network, please.'],
  ['you are wanting the in network side only or the out of network side', 'In network, please.'],
  ['Out-of-network or in-network benefits, dear?', 'In network, please.'],
  ['Is that for the individual or for the family?', 'For the individual, please.'],
])('a payer who offers a choice gets it: "%s"', (said, words) => {
  const { last, answers } = after(said);
  expect([last.words, answers]).toEqual([words, {}]);
});

test('the side is the one that the provider is on', () => {
  expect(after('In or out of network?', [outside]).last.words).toBe('Out of network, please.');
});

test('figures for both sides offer no choice', () => {
  const { last } = after("It's $40 in network or $60 out of network.");
  expect(last.words).not.toContain('please.');
});

test.each([
  ['Is it the claim for Ida or for her son?', 'The claim for Ida, please.'],
  ['I see two, the dental one and the glasses. Which one do you want?', 'The dental one, please.'],
  ['Is that about glasses or the dental one?', 'The dental one, please.'],
])('of two, we choose the one that we know: "%s"', (said, words) => {
  const facts = [
    factOf('patient-name', "patient's name", 'Ida Marsh'),
    factOf('claim-number', 'claim number', 'B 4 4 1'),
    factOf('treatment', 'treatment', 'dental crown'),
  ];
  const { last } = talk((draft, heard) => answerQuestions(draft, heard, true), [said], {
    plan: planWith({ task_type: 'REIMBURSEMENT', callee: 'claims-department', facts, items: [] }),
  });
  expect(last.words).toBe(words);
});

test('a question for a name offers no choice', () => {
  const facts = [factOf('facility', 'facility', 'Riverside Clinic')];
  const { last } = talk(
    (draft, heard) => answerQuestions(draft, heard, true),
    ['And which doctor or clinic are we looking at?'],
    { plan: planWith({ task_type: 'VERIFY_INSURANCE', callee: 'insurer', facts, items: [] }) },
  );
  expect(last.words).not.toMatch(/^Clinic are/);
});

test('a choice discloses the fact that it confirms', () => {
  const facts = [factOf('treatment', 'treatment', 'dental crown')];
  const { last } = talk(
    (draft, heard) => answerQuestions(draft, heard, true),
    ['Is it glasses or the dental one?'],
    {
      plan: planWith({ task_type: 'REIMBURSEMENT', callee: 'claims-department', facts, items: [] }),
    },
  );
  expect(last.actions).toContainEqual({ type: 'disclose', field: 'treatment' });
});

test('what to do instead requests nothing of us', () => {
  const said = 'the doctor sends it by fax 202-555-0188 then our nurse reviews it and calls her';
  const { last } = talk((draft, heard) => answerQuestions(draft, heard, true), [said], {
    memory: { pending: 'instead' },
  });
  expect(last.words).toBe('');
});

test('a statement about both sides offers none', () => {
  const { last } = after("In network or out, it doesn't matter, that service is excluded.");
  expect(last.words).not.toBe('In network, please.');
});
