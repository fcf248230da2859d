import { describe, expect, test } from 'vitest';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { withStatedAnswers } from '#shared/voice-agent/core/stated-answers.ts';
import { type Heard, likelihood, understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits, claim, visit } from './told-in.ts';

function heardAfter(plan: CallPlan, key: string, said: string): Heard {
  const asked = plan.items.find((item) => item.key === key) ?? null;
  const after = asked?.kind === 'yes-no' ? 'yes-no-question' : 'question';
  return withStatedAnswers(understand(said, 1, { today: '2026-11-16', after }), asked);
}

const asks = ({ moves }: Heard): boolean =>
  moves.some(({ isQuestion, asks: [topic] }) => isQuestion || topic !== undefined);

describe('the end of an answer to our question', () => {
  test.each([
    ['instructions', 'She should fast from ten the night before, and her member card, please.'],
    ['instructions', 'Nothing by mouth after midnight, and the name of her doctor on a slip.'],
  ])('requests nothing that it names: %s, "%s"', (key, said) => {
    expect(asks(heardAfter(visit, key, said))).toBe(false);
  });

  test('is one answer with the words before it', () => {
    const heard = heardAfter(
      claim,
      'missing_documents',
      'We lack the imaging report and the referring doctor.',
    );
    expect(asks(heard)).toBe(false);
  });
});

test.each([
  'Provider is in network, I looked by street address.',
  'Provider in network, I have the address here.',
])('a yes with its source requests nothing: "%s"', (said) => {
  expect(asks(heardAfter(benefits, 'in_network', said))).toBe(false);
  expect(asks(heardAfter(benefits, 'copay', 'What is the provider address?'))).toBe(true);
});

describe('asked for a name', () => {
  const contact = clientItem('question_0', 'Whom does one reach on weekends?', null, []);
  const transfers = (said: string): number =>
    likelihood(
      withStatedAnswers(understand(said, 1, { today: '2026-11-16', after: 'question' }), contact),
      'transfer',
    );

  test.each(["You'll get Marisol, my sister.", 'and then youll get put right through to norbert'])(
    'whom one would be put through to is no transfer: "%s"',
    (said) => expect(transfers(said)).toBeLessThan(0.1),
  );

  test.each(["I'll put you through to Marisol.", 'Hold on, transferring you to Norbert.'])(
    'a transfer remains one: "%s"',
    (said) => expect(transfers(said)).toBeGreaterThan(0.5),
  );
});

describe('a question of theirs', () => {
  test.each([
    'She should fast from ten the night before, and what is her member ID?',
    'Nothing by mouth after midnight, and I need her date of birth.',
    'Nothing by mouth after midnight. Her date of birth?',
  ])('remains one beside an answer: "%s"', (said) => {
    expect(asks(heardAfter(visit, 'instructions', said))).toBe(true);
  });

  test('remains one without a question of ours', () => {
    const said = 'She should fast from ten the night before, and her member card, please.';
    const heard = understand(said, 1, { today: '2026-11-16', after: null });
    expect(withStatedAnswers(heard, null)).toBe(heard);
  });
});
