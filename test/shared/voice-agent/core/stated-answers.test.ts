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

/** How likely words, as an answer to a client's question, are still an act. */
function actAfter(question: string, said: string, act: string): number {
  const asked = clientItem('question_0', question, null, []);
  const after = asked.kind === 'yes-no' ? 'yes-no-question' : 'question';
  return likelihood(withStatedAnswers(understand(said, 1, { today: '2026-11-16', after }), asked), act);
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
  const transfers = (said: string): number => actAfter('Whom does one reach on weekends?', said, 'transfer');

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

describe('asked whether something can be transferred', () => {
  const transfers = (said: string): number =>
    actAfter('Can a prescription be transferred from another pharmacy by phone?', said, 'transfer');

  test.each([
    'Just give me the name of the other pharmacy and it is transferred.',
    'yes by phone is okay i call the other pharmacy and they transfer to me',
  ])('its transfer is not ours: "%s"', (said) => {
    expect(actAfter('Is there a fee?', said, 'transfer')).toBeGreaterThan(0.5);
    expect(transfers(said)).toBeLessThan(0.1);
  });

  test.each([
    'Let me transfer you to Norbert.',
    'Let me put you through to the pharmacist.',
    "I'll get you transferred to the pharmacist.",
  ])('a transfer of ours remains one: "%s"', (said) => {
    expect(transfers(said)).toBeGreaterThan(0.5);
  });
});

describe('asked for a number', () => {
  const question = 'Which number should be called to cancel a ride?';

  test('a person who names another one to call does not opt out', () => {
    const said = "Call 202-555-0186 to cancel, don't call me, I'll just forget.";
    expect(actAfter(question, said, 'opts-out')).toBeLessThan(0.1);
  });

  test.each([
    "Call 202-555-0186. And don't call here again.",
    'Call 202-555-0186. And take us off the list.',
    "Call 202-555-0186. Don't ever call me.",
  ])('a person who opts out beside it does: "%s"', (said) => {
    expect(actAfter(question, said, 'opts-out')).toBeGreaterThan(0.5);
  });

  test('the number of a mailbox is not a mailbox', () => {
    expect(actAfter(question, 'You call 202-555-0181 and leave a message.', 'mailbox')).toBe(0);
    expect(actAfter(question, 'Please leave a message after the tone.', 'mailbox')).toBeGreaterThan(0.5);
  });
});
