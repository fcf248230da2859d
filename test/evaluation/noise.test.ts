import { expect, test } from 'vitest';
import { noiseFor } from './noise.ts';

const said = 'Okay, so the copay is $40, and the claim was not paid on November 9th, Dr. Okafor.';

test('a clear line transcribes the exact words', () => {
  expect(noiseFor(0, 'a')(said)).toBe(said);
});

test('the same level and seed cause the same errors, different for each utterance', () => {
  const hear = (seed: string) => {
    const noise = noiseFor(0.8, seed);
    return Array.from({ length: 5 }, () => noise(said));
  };
  expect(hear('a')).toEqual(hear('a'));
  expect(hear('a')).not.toEqual(hear('b'));
  expect(new Set(hear('a')).size).toBeGreaterThan(1);
});

test('from the middle level on there is no punctuation, and numbers are words', () => {
  const heard = noiseFor(0.5, 'a')(said);
  expect(heard).not.toMatch(/[,.$\d\p{Lu}]/u);
  expect(heard).toContain('forty dollars');
});

test('figures and negations are always heard', () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const heard = noiseFor(1, String(seed))(said);
    expect(heard).toMatch(/\bnot\b/);
    expect(heard).toMatch(/\bforty\b.*\bninth\b/);
  }
});
