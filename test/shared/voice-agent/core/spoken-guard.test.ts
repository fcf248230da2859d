import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fact } from '#shared/voice-agent/call-plan/call-plan.ts';
import { SpokenGuard } from '#shared/voice-agent/core/spoken-guard.ts';
import { disclosedIn } from '#shared/voice-agent/result/disclosures.ts';

const today = '2026-11-16';
const refusal = 'I cannot share that.';

const fact = (field: string, value: string, spoken = value): Fact => ({
  field,
  topic: 'other',
  label: field,
  value,
  spoken,
  may_be_told: false,
});

const secrets = [
  fact('name', 'Elena Marsh'),
  fact('birth', '1979-03-05', 'March 5, 1979'),
  fact('member', 'SMX55120987', 'S M X, 5 5 1, 2 0 9, 8 7'),
  fact('phone', '+12025550147', '2 0 2, 5 5 5, 0 1 4 7'),
  fact('reason', 'stabbing pain behind the left kneecap since last winter'),
];

/** What is let out piece by piece, the rest at the end. */
function pieces(said: readonly string[], of: readonly Fact[] = secrets): string[] {
  const guard = new SpokenGuard(of, today, refusal);
  return [...said.map((piece) => guard.pass(piece)), guard.release()];
}

const heard = (said: readonly string[]): string =>
  pieces(said)
    .filter((piece) => piece !== '')
    .join(' ');

describe('words without a secret', () => {
  test('come out one by one as they arrive', () => {
    const words = 'Hello, this is about the benefits of a patient.'.split(' ');
    expect(pieces(words)).toEqual([...words, '']);
  });

  test('come out one by one, whatever they are, without secrets', () => {
    const words = 'Her name is Elena Marsh, born March 5, 1979.'.split(' ');
    expect(pieces(words, [])).toEqual([...words, '']);
  });

  test('are held from the possible start of a secret to the end of the sentence', () => {
    expect(pieces('We spoke in March of that. Is it active?'.split(' '))).toEqual([
      ...['We', 'spoke', 'in', '', '', 'March of that.', 'Is', 'it', 'active?'],
      '',
    ]);
    expect(pieces(['It', 'is', '5', 'or 6'])).toEqual(['It', 'is', '', '', '5 or 6']);
  });
});

describe('a secret is withheld', () => {
  test.each([
    ['in one piece', ['Her name is Elena Marsh. Is the plan active?']],
    ['a word at a time', 'Her name is Elena Marsh. Is the plan active?'.split(' ')],
    ['in an own sentence each', 'Her name? Elena. Marsh. Is the plan active?'.split(' ')],
    ['with an ending', "It is for Elena Marsh's mother. Is the plan active?".split(' ')],
    ['as it is spoken', 'She was born March 5, 1979. Is the plan active?'.split(' ')],
    ['as it is written', 'She was born 1979-03-05. Is the plan active?'.split(' ')],
    ['in words', 'She was born on the fifth of March, nineteen seventy-nine. Is the plan active?'.split(' ')],
    ['spelled', 'It is S M X, 5 5 1, 2 0 9, 8 7. Is the plan active?'.split(' ')],
    ['spelled with full stops', 'It is S. M. X. 5. 5. 1. 2. 0. 9. 8. 7. Is the plan active?'.split(' ')],
    ['in number words', 'Call two oh two five five five oh one four seven. Is the plan active?'.split(' ')],
    [
      'in other words',
      'A kneecap with stabbing pain, behind, left, since winter. Is the plan active?'.split(' '),
    ],
  ])('%s', (_, said) => {
    const words = heard(said);
    expect(disclosedIn(words, secrets)).toEqual([]);
    expect(words).not.toMatch(/Marsh|1979|seventy|8 7|8\. 7|seven|kneecap/);
    expect(words).toContain(refusal);
    expect(words).toMatch(/Is the plan active\?$/);
  });

  test('at the very end, without a sentence end', () => {
    expect(heard('The name is Elena Marsh'.split(' '))).toBe(`The name is ... ${refusal}`);
  });

  test('and the refusal is said once', () => {
    expect(heard(['Elena Marsh.', 'Elena Marsh, I said.', 'Is it active?'])).toBe(`${refusal} Is it active?`);
  });
});

test('however the words are cut into pieces, only secrets are withheld', () => {
  const sentences = [
    'Hello there.',
    'Her name is Elena Marsh.',
    'She was born March 5, 1979.',
    'The member ID is S M X, 5 5 1, 2 0 9, 8 7.',
    'Could you check the copay?',
    'It takes 20 minutes, I know.',
  ];
  const script = fc.array(fc.tuple(fc.constantFrom(...sentences), fc.array(fc.nat(12))), { maxLength: 6 });
  fc.assert(
    fc.property(script, (parts) => {
      const said = parts.flatMap(([sentence, cuts]) => cutAt(sentence.split(' '), cuts));
      const words = heard(said);
      expect(disclosedIn(words, secrets)).toEqual([]);
      for (const [sentence] of parts) {
        if (disclosedIn(sentence, secrets).length === 0) expect(words).toContain(sentence);
      }
    }),
  );
});

function cutAt(words: readonly string[], cuts: readonly number[]): string[] {
  const edges = [...new Set([0, ...cuts.filter((cut) => cut < words.length), words.length])].sort(
    (a, b) => a - b,
  );
  return edges.slice(1).map((end, at) => words.slice(edges[at], end).join(' '));
}
