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

test.each([
  "PT? For sure it's covered.",
  'Therapy? Yes, twenty visits.',
  'Coverage? Sure, no problem there.',
])('a word of ours that they answer at once requests nothing: "%s"', (said) => {
  expect(asks(heardAfter(benefits, 'service_covered', said))).toBe(false);
  expect(asks(heardAfter(benefits, 'service_covered', 'NPI? I need that first.'))).toBe(true);
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

test.each([
  'Just give me the name of the other pharmacy and it is transferred.',
  'yes by phone is okay i call the other pharmacy and they transfer to me',
])('what is transferred as we asked is not the call: "%s"', (said) => {
  const question = 'Can a prescription be transferred from another pharmacy by phone?';
  const asked = clientItem('question_0', question, null, []);
  const heard = (words: string) => understand(words, 1, { today: '2026-11-16', after: 'yes-no-question' });
  expect(likelihood(heard(said), 'transfer')).toBeGreaterThan(0.5);
  expect(likelihood(withStatedAnswers(heard(said), asked), 'transfer')).toBe(0);
  expect(
    likelihood(withStatedAnswers(heard('Let me transfer you to Norbert.'), asked), 'transfer'),
  ).toBeGreaterThan(0.5);
});

test('whom to call instead, asked for, is no opt-out', () => {
  const asked = clientItem('question_0', 'Which number should be called to cancel a ride?', null, []);
  const heard = (words: string) =>
    likelihood(
      withStatedAnswers(understand(words, 1, { today: '2026-11-16', after: 'question' }), asked),
      'opts-out',
    );
  expect(heard("Call 202-555-0186 to cancel, don't call me, I'll just forget.")).toBe(0);
  expect(heard("Call 202-555-0186. And don't call here again.")).toBeGreaterThan(0.5);
});

test('the number of a mailbox, asked for, is no mailbox', () => {
  const asked = clientItem('question_0', 'What phone number should absences be reported to?', null, []);
  const heard = (words: string) =>
    likelihood(
      withStatedAnswers(understand(words, 1, { today: '2026-11-16', after: 'question' }), asked),
      'mailbox',
    );
  expect(heard('You call 202-555-0181 and leave a message.')).toBe(0);
  expect(heard('Please leave a message after the tone.')).toBeGreaterThan(0.5);
});
