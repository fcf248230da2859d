import { describe, expect, test } from 'vitest';
import { tokenize } from '#shared/voice-agent/entities/tokens.ts';
import polarity from '#shared/voice-agent/language/en-US/polarity/front-desks.json' with { type: 'json' };
import { relevanceOf } from '#shared/voice-agent/understanding/answer-relevance.ts';

const relevance = (question: string, answer: string): number => relevanceOf(question, tokenize(answer));

describe('the relevance of an answer to a question', () => {
  test.each<[string, string, string]>([
    ['How much is the copay?', 'the copay is thirty dollars', "he's in network"],
    ['When is the appointment?', 'her appointment is Tuesday at nine', "there's a twenty dollar fee"],
    ['Do you take walk-ins?', 'we take walk-ins before noon', "you'd have to sign the form"],
    ['Is there parking at the building?', "there's a parking garage next door", 'she needs a referral first'],
    ['What is the fax number?', 'the fax is 202 555 0143', 'he retired last year'],
  ])('%s', (question, own, other) => {
    expect(relevance(question, own)).toBeGreaterThan(0.5);
    expect(relevance(question, other)).toBeLessThan(0.5);
  });

  test('grows with a word used like one of the question', () => {
    const question = 'Does the doctor see children?';
    expect(relevance(question, 'kids are fine')).toBeGreaterThan(relevance(question, 'checks are fine'));
  });

  test('is between 0 and 1, even for nothing at all', () => {
    for (const answer of ['', 'um', 'yes', 'copay copay copay the copay is a copay of $40']) {
      expect(relevance('How much is the copay?', answer)).toBeGreaterThan(0);
      expect(relevance('How much is the copay?', answer)).toBeLessThan(1);
    }
  });

  test("ranks a question's own answer above the answers to others", () => {
    const pairs = polarity.families
      .filter(({ label }) => label === 'yes' || label === 'no' || label === 'depends')
      .flatMap(({ pairs }) => pairs.map(([question = '', answer = '']) => ({ question, answer })));
    const own = pairs.map(({ question, answer }) => relevance(question, answer));
    const others = pairs.flatMap(({ question }, at) => {
      const other = pairs[(at * 7 + 397) % pairs.length];
      return other === undefined || other.question === question ? [] : [relevance(question, other.answer)];
    });
    expect(areaUnderCurve(own, others)).toBeGreaterThan(0.72);
  });
});

/** The chance that one of the first is above one of the others. */
function areaUnderCurve(first: readonly number[], others: readonly number[]): number {
  const wins = first.reduce(
    (sum, one) =>
      sum + others.reduce((count, other) => count + (one > other ? 1 : one === other ? 0.5 : 0), 0),
    0,
  );
  return wins / (first.length * others.length);
}
