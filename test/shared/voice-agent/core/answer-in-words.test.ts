import { describe, expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { isMoment } from '#shared/voice-agent/core/clause-topic.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import { type Move, understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits, claim, quoteFor, told } from './told-in.ts';

describe('no answer in words is', () => {
  test.each(['They do require authorization.', 'It does need an authorization, yes.'])(
    'what the question takes for granted: "%s"',
    (said) => {
      expect(quoteFor(benefits, 'authorization_process', said)).toBeUndefined();
    },
  );

  test.each(['Two minutes.', 'thirty seconds'])('a request to wait: "%s"', (said) => {
    expect(told(benefits, 'plan_name', said)).toEqual({});
  });

  test.each(["It's with the nurse reviewer.", 'The chart notes from the visit, it says here.'])(
    'what names no time when one was asked for: "%s"',
    (said) => {
      expect(quoteFor(claim, 'expected_decision', said)).toBeUndefined();
    },
  );
});

test.each(['Give it another three weeks.', 'After the appeal board meets, early next month.'])(
  'a time in any words tells when: "%s"',
  (said) => {
    expect(quoteFor(claim, 'expected_decision', said)).toBe(said);
  },
);

test.each([
  ['How long does a visit take?', 'Thirty minutes.'],
  ['How long does the scan take?', 'forty seconds'],
  ['Is there a wait for walk-ins?', 'Ten minutes.'],
])('a short time answers a question of the client: "%s"', (question, said) => {
  const item = clientItem('question_0', question, null, []);
  const heard = understand(said, 1, { today: '2026-11-16', after: 'question' });
  const found = evidenceIn(heard, { ...claim, items: [item] }, item);
  expect(found.some(({ quote }) => said.startsWith(quote))).toBe(true);
  expect(isMoment(heard.moves[0] as Move, item)).toBe(false);
});

test('of two times for one question neither is left out', () => {
  const item = clientItem('question_0', 'When do the doors open?', null, []);
  const said = 'The gate opens at seven ten, and the desk is up at seven thirty.';
  const heard = understand(said, 1, { today: '2026-11-16', after: 'question' });
  const [answer] = evidenceIn(heard, { ...claim, items: [item] }, item);
  expect(answer).toMatchObject({ value: null, quote: said });
});
