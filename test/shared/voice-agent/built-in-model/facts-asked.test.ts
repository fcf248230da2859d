import { expect, test } from 'vitest';
import { tell } from '#shared/voice-agent/built-in-model/facts-asked.ts';
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
