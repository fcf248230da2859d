import { expect, test } from 'vitest';
import { proceedWithQuestions } from '#shared/voice-agent/built-in-model/questions.ts';
import { itemsOf } from '#shared/voice-agent/call-plan/items.ts';
import type { RecordedAnswer } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { planWith, type Talk, talk } from './talking.ts';

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
