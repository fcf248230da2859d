import { describe, expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import type { RecordedAnswer } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { inWholeSentence } from '#shared/voice-agent/result/whole-sentences.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';

/** The report of an answer whose words were understood as `quote`. */
function reported(question: string, said: string, quote: string, value: RecordedAnswer['value'] = null) {
  const item = clientItem('question_0', question, null, []);
  const answer = value === null ? quote : value ? 'Yes' : 'No';
  const recorded = { key: item.key, answer, value, quote, turn: 1, needs_review: false };
  return inWholeSentence(item, recorded, understand(said, 1, { today: '2026-11-16', after: 'question' }));
}

describe('an answer in words is its whole sentence', () => {
  test.each([
    [
      'By when must the form be here?',
      'so that has to be in two weeks before camp starts or nobody reads it',
      'so that has to be in two weeks',
      'so that has to be in two weeks before camp starts or nobody reads it',
    ],
    [
      'What should she bring?',
      'Sure. Her cards, and the list of her pills. Is that all?',
      'Her cards,',
      'Her cards, and the list of her pills.',
    ],
    [
      'What should she bring?',
      'the blue card and a list of pills anything else',
      'the blue card',
      'the blue card and a list of pills',
    ],
  ])('%s "%s"', (question, said, quote, whole) => {
    expect(reported(question, said, quote)).toMatchObject({ answer: whole, quote: whole });
  });
});

describe("a yes or no to a client's question", () => {
  test('comes with what else its sentence says', () => {
    const said = 'We do, only on Fridays, and only inside the county. Anything else?';
    expect(reported('Do you deliver?', said, 'We do, only on Fridays,', true)).toMatchObject({
      value: true,
      answer: 'Yes: "We do, only on Fridays, and only inside the county."',
      quote: 'We do, only on Fridays, and only inside the county.',
    });
  });

  test.each(['Yes.', 'Yes, we do deliver.'])('stands alone if there is nothing else: "%s"', (said) => {
    expect(reported('Do you deliver?', said, said, true)).toMatchObject({ answer: 'Yes' });
  });
});
