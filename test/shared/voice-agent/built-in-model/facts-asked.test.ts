import { expect, test } from 'vitest';
import { answerQuestions, tell } from '#shared/voice-agent/built-in-model/facts-asked.ts';
import type { Fact } from '#shared/voice-agent/call-plan/call-plan.ts';
import { planWith, talk } from './talking.ts';

test.each<[Fact['topic'], string, string]>([
  ['patient-status', 'patient status', 'The patient status is on file.'],
  ['address', 'address', 'The address is on file.'],
  ['procedure-codes', 'procedure codes', 'The procedure codes are on file.'],
])('%s is told in a whole sentence', (topic, label, words) => {
  const fact: Fact = { field: 'a', topic, label, value: 'on file', spoken: 'on file', may_be_told: true };
  const plan = planWith({ facts: [fact] });
  expect(talk((draft) => tell(draft, topic), ['Hi.'], { plan }).last.words).toBe(words);
});

test('nothing but a name is told when it is unclear what is asked for; it is asked once', () => {
  const insurer: Fact = {
    field: 'a',
    topic: 'insurer',
    label: 'insurance company',
    value: 'Example Health Plan',
    spoken: 'Example Health Plan',
    may_be_told: true,
  };
  const { turns } = talk(answerQuestions, ['And who is she?', 'Which insurance company is it?'], {
    plan: planWith({ facts: [insurer] }),
  });
  expect(turns.map(({ words }) => words)).toEqual([
    'I am sorry, which information do you need?',
    'The insurance company is Example Health Plan.',
  ]);
});
